import { escapeScript } from '../../common/escape/script.ts';
import { printExact, printWide } from '../../common/json/exact.ts';
import type { Json } from '../../common/json/value.ts';

/** Writes a JSON value as a literal of TypeScript or JavaScript, wide integers as bigints. */
export function literal(value: unknown): string {
  return codeOf(printWide(value, { indent: 2, write: (digits) => `${digits}n` }));
}

/** Like `literal`, with wide integers as the document writes them. */
export function exactLiteral(value: Json): string {
  return codeOf(printExact(value, 2));
}

// A plain `__proto__` key would set the prototype.
function codeOf(json: string): string {
  return escapeScript(json).replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');
}
