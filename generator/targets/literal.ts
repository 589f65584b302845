import { escapeScript } from '../../common/escape/script.ts';
import { printExact, printWide } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';

/**
 * A JSON value as a literal of TypeScript or JavaScript. JSON is one already, but for a member
 * called `__proto__`, which would set the prototype if it were not computed, and for integers beyond
 * 2^53, which would be rounded if they were not bigints.
 */
export function literal(value: unknown): string {
  return codeOf(printWide(value, { indent: 2, write: (digits) => `${digits}n` }));
}

/** As `literal`, with integers beyond 2^53 as the document writes them. */
export function exactLiteral(value: Json): string {
  return codeOf(printExact(value, 2));
}

function codeOf(json: string): string {
  return escapeScript(json).replaceAll(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');
}
