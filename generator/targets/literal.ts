import { printWide } from '../../common/json/exact.ts';

/**
 * A JSON value as a literal of TypeScript or JavaScript. JSON is one already, but for a member
 * called `__proto__`, which would set the prototype if it were not computed, and for integers beyond
 * 2^53, which would be rounded if they were not bigints.
 */
export function literal(value: unknown): string {
  return printWide(value, { indent: 2, write: (digits) => `${digits}n` }).replaceAll(
    /^(\s*)"__proto__":/gm,
    '$1["__proto__"]:',
  );
}

/** A name as the key of a member, in an object as in an interface. */
export function memberKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
}
