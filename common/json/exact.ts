import { walkJson } from './pointer.ts';
import type { Json, JsonObject } from './value.ts';
import { findWideIntegers } from './wide-integers.ts';

/**
 * Integers beyond 2^53 lose digits as JavaScript numbers. The object or array that holds one carries
 * its source text under this symbol, by key, so that other code can treat a document as plain JSON.
 */
const SOURCES = Symbol('sources of wide integers');

interface Holder {
  [SOURCES]?: Map<string, string>;
}

// ECMAScript proposal "JSON.parse source text access", not yet in TypeScript's declarations.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function sourceOf(holder: Holder, key: string | number): string | undefined {
  return holder[SOURCES]?.get(String(key));
}

function setSource(holder: Holder, key: string, source: string): void {
  const sources = holder[SOURCES] ?? new Map<string, string>();
  // Not enumerable: copies and comparisons see only the JSON.
  if (sources.size === 0) Object.defineProperty(holder, SOURCES, { value: sources });
  sources.set(key, source);
}

/**
 * Parses JSON like `JSON.parse`, and keeps the digits of wide integers for `printExact`.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!/\d{16}/.test(text)) return value;
  for (const { holder, key, source } of findWideIntegers(text, value)) {
    if (!Number.isSafeInteger(Number(source))) setSource(holder, key, source);
  }
  return value;
}

/** Returns a deep copy that keeps the digits of wide integers. */
export function cloneExact<T extends Json>(value: T): T {
  const clone = structuredClone(value);
  const pending: [unknown, unknown][] = [[value, clone]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to] = next as [Holder | null, Holder & Readonly<Record<string, unknown>>];
    if (typeof from !== 'object' || from === null) continue;
    for (const [key, source] of from[SOURCES] ?? []) setSource(to, key, source);
    for (const [key, member] of Object.entries(from)) pending.push([member, to[key]]);
  }
  return clone;
}

function stringify(value: unknown, indent: number, write: (source: string) => unknown): string {
  return JSON.stringify(
    value,
    function (this: object, key: string, member: unknown) {
      const source = typeof member === 'number' ? sourceOf(this, key) : undefined;
      return source === undefined ? member : write(source);
    },
    indent,
  );
}

/** Prints JSON like `JSON.stringify`, but wide integers with all their digits. */
export function printExact(value: Json, indent = 0): string {
  return stringify(value, indent, rawJSON);
}

/** Prints `holder[key]` as JSON, with all digits of wide integers. */
export function printMember(holder: object, key: string | number): string {
  const member = (holder as Readonly<Record<string, Json>>)[key]!;
  return sourceOf(holder, key) ?? printExact(member);
}

// JSON.stringify never escapes a letter, so no string of a document matches this mark.
const MARK = /"\\u0077ide (\d+)"/g;

/** Prints JSON like `printExact`, with each wide integer replaced by `write(digits)`. */
export function printWide(
  value: unknown,
  { indent, write }: { readonly indent: number; readonly write: (digits: string) => string },
): string {
  const texts: string[] = [];
  const marked = stringify(value, indent, (source) =>
    rawJSON(`"\\u0077ide ${texts.push(write(source)) - 1}"`),
  );
  return marked.replaceAll(MARK, (_, index: string) => texts[Number(index)]!);
}

/** JSON with bigints for wide integers. */
export type ExactJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson };

/** Returns a copy of an object or array with bigints for wide integers. */
export function toBigInts<T extends object>(holder: T): Readonly<Record<keyof T, ExactJson>> {
  const entries = Object.entries(holder as Readonly<Record<string, Json>>);
  const members = entries.map(([key, member]): [string, ExactJson] => {
    const source = sourceOf(holder, key);
    if (source !== undefined) return [key, BigInt(source)];
    const isHolder = typeof member === 'object' && member !== null;
    return [key, isHolder ? (toBigInts(member) as ExactJson) : member];
  });
  const copy = Array.isArray(holder)
    ? members.map(([, each]) => each)
    : Object.fromEntries(members);
  return copy as Readonly<Record<keyof T, ExactJson>>;
}

/** Checks whether a value holds integers whose digits would be lost in a JavaScript number. */
export function holdsWideIntegers(root: Json): boolean {
  for (const [value] of walkJson(root)) {
    if (typeof value === 'object' && value !== null && SOURCES in value) return true;
  }
  return false;
}

/** Prints a value that holds bigints as JSON; returns undefined for undefined. */
export function printBigInts(value: unknown, indent = 0): string | undefined {
  const raw = (_: string, member: unknown) =>
    typeof member === 'bigint' ? rawJSON(String(member)) : member;
  return JSON.stringify(value, raw, indent) as string | undefined;
}

/** Copies the digits of the wide integer at `from[key]`, if there is one, to `to[toKey]`. */
export function keepDigits(
  [from, key]: readonly [object, string],
  [to, toKey]: readonly [object, string],
): void {
  const source = sourceOf(from, key);
  if (source !== undefined) setSource(to, toKey, source);
}

/** Copies the digits of all wide integers that `from` and `to` share. Returns `to`. */
export function keepAllDigits<T extends JsonObject>(from: JsonObject, to: T): T {
  for (const [key, source] of (from as Holder)[SOURCES] ?? []) {
    if (from[key] === to[key]) setSource(to as Holder, key, source);
  }
  return to;
}
