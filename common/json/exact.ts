import type { Json, JsonObject } from './value.ts';

/**
 * Integers that a JavaScript number does not hold exactly, as they were written. They are kept beside
 * the values, by the object or array they stand in, so that everything else may treat a document as
 * the plain JSON it is.
 */
const written = new WeakMap<object, Map<string, string>>();

/** How an integer beyond 2^53 has to be written to be told from a rounded one. */
const WIDE_INTEGER = /^-?\d{16,}$/;

// Not in the declarations of TypeScript yet (ECMAScript proposal "JSON.parse source text access").
type Reviver = (this: object, key: string, value: Json, context: { source?: string }) => Json;
type Parse = (text: string, reviver: Reviver) => Json;
type RawJson = { rawJSON(text: string): unknown };

/**
 * As JSON.parse; `printExact` prints the integers as the text has them.
 *
 * @throws SyntaxError as JSON.parse does
 */
export function parseExact(text: string): Json {
  // A reviver makes reading several times as slow, and hardly any document has use for it.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as Json;
  return (JSON.parse as Parse)(text, function (key, value, { source }) {
    if (typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined) {
      if (WIDE_INTEGER.test(source)) note(this, key, source);
    }
    return value;
  });
}

/** A deep copy of what `parseExact` gave, of which the same is known. */
export function cloneExact<T extends Json>(value: T): T {
  const clone = structuredClone(value);
  const ahead: [Json, Json][] = [[value, clone]];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [from, to] = next;
    if (typeof from !== 'object' || from === null) continue;
    for (const [key, source] of written.get(from) ?? []) note(to as object, key, source);
    const copies = to as Readonly<Record<string, Json>>;
    for (const [key, member] of Object.entries(from)) ahead.push([member as Json, copies[key]!]);
  }
  return clone;
}

/** As JSON.stringify, with the integers within `value` as they were written. */
export function printExact(value: Json, indent?: number): string {
  return JSON.stringify(
    value,
    function (this: object, key: string, member: unknown) {
      const source = typeof member === 'number' ? written.get(this)?.get(key) : undefined;
      return source === undefined ? member : (JSON as unknown as RawJson).rawJSON(source);
    },
    indent,
  );
}

/** `holder[key]` as JSON; an integer as it was written. */
export function printMember(holder: object, key: string | number): string {
  const member = (holder as Readonly<Record<string, Json>>)[key]!;
  return written.get(holder)?.get(String(key)) ?? printExact(member);
}

/** JSON whose integers beyond 2^53 are bigints. */
export type ExactJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson };

/** A copy of an object or array, with bigints for the integers that a number does not hold. */
export function toBigInts<T extends object>(holder: T): Readonly<Record<keyof T, ExactJson>> {
  const entries = Object.entries(holder as Readonly<Record<string, Json>>);
  const members = entries.map(([key, member]): [string, ExactJson] => {
    const source = written.get(holder)?.get(key);
    if (source !== undefined) return [key, BigInt(source)];
    const isHolder = typeof member === 'object' && member !== null;
    return [key, isHolder ? (toBigInts(member) as ExactJson) : member];
  });
  const copy = Array.isArray(holder)
    ? members.map(([, each]) => each)
    : Object.fromEntries(members);
  return copy as Readonly<Record<keyof T, ExactJson>>;
}

/** Makes the integer at `to[toKey]`, taken from `from[key]`, known as it was written there. */
export function keepDigits(
  [from, key]: readonly [object, string],
  [to, toKey]: readonly [object, string],
): void {
  const source = written.get(from)?.get(key);
  if (source !== undefined) note(to, toKey, source);
}

/** Makes known of the members of `to` what is known of those of `from` that are the same. */
export function keepAllDigits<T extends JsonObject>(from: JsonObject, to: T): T {
  for (const [key, source] of written.get(from) ?? []) {
    if (from[key] === to[key]) note(to, key, source);
  }
  return to;
}

/** As `printExact`, with what `write` makes of integers beyond 2^53 in their place. */
export function printWide(
  value: unknown,
  { indent, write }: { readonly indent: number; readonly write: (digits: string) => string },
): string {
  const texts: string[] = [];
  const marked = JSON.stringify(
    value,
    function (this: object, key: string, member: unknown) {
      const source = typeof member === 'number' ? written.get(this)?.get(key) : undefined;
      return source === undefined ? member : markOf(texts.push(write(source)) - 1);
    },
    indent,
  );
  return marked.replaceAll(MARKED, (_, index: string) => texts[Number(index)]!);
}

// JSON.stringify itself never writes a letter as an escape: no text of a document looks like a mark.
const MARKED = /"\\u0077ide (\d+)"/g;

function markOf(index: number): unknown {
  return (JSON as unknown as RawJson).rawJSON(`"\\u0077ide ${index}"`);
}

/** As JSON.stringify of a value whose integers are bigints; undefined for undefined. */
export function printBigInts(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? (JSON as unknown as RawJson).rawJSON(String(member)) : member,
  ) as string | undefined;
}

function note(holder: object, key: string, source: string): void {
  const known = written.get(holder) ?? new Map<string, string>();
  written.set(holder, known.set(key, source));
}
