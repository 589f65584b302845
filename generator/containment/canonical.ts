import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';

/** Keywords whose lists have no order. */
const UNORDERED = new Set(['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf']);

/** Keywords whose members are names, not keywords. */
const MAPS = new Set(['properties', 'patternProperties', 'dependencies']);

/** Keywords whose value is data. */
const DATA = new Set(['enum', 'const']);

/**
 * Returns a text that is equal for schemas that differ only in order. `partText` returns the text of a
 * schema within the schema.
 */
export function canonicalSchema(schema: Json, partText: PartText = canonicalSchema): string {
  if (!isObject(schema)) return scalarText(schema);
  const members = Object.entries(schema)
    .toSorted(byKey)
    .map(([key, value]) => `${JSON.stringify(key)}:${keywordText(key, value!, partText)}`);
  return `{${members.join()}}`;
}

type PartText = (schema: Schema) => string;

function keywordText(keyword: string, value: Json, partText: PartText): string {
  if (DATA.has(keyword) && !Array.isArray(value)) return canonicalValue(value);
  if (Array.isArray(value)) {
    const textOf = DATA.has(keyword) ? canonicalValue : listed(partText);
    const texts = value.map(textOf);
    if (!UNORDERED.has(keyword)) return `[${texts.join()}]`;
    // Two equal variants of oneOf exclude their values, so duplicates matter.
    return `[${(keyword === 'oneOf' ? texts : [...new Set(texts)]).sort().join()}]`;
  }
  if (!isObject(value)) return scalarText(value);
  if (!MAPS.has(keyword)) return partText(value);
  const members = Object.entries(value)
    .toSorted(byKey)
    .map(([key, each]) => `${JSON.stringify(key)}:${memberText(each!, partText)}`);
  return `{${members.join()}}`;
}

/** Returns a function that returns the text of an element of a list of schemas or names. */
function listed(partText: PartText): (each: Json) => string {
  return (each) => (isObject(each) ? partText(each) : scalarText(each));
}

// A list in `dependencies` has names, whose order has no meaning.
function memberText(value: Json, partText: PartText): string {
  if (Array.isArray(value)) return `[${value.map(scalarText).sort().join()}]`;
  return listed(partText)(value);
}

/** Returns a text that is equal for equal JSON values. */
export function canonicalValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join()}]`;
  if (typeof value !== 'object' || value === null) return scalarText(value);
  const members = Object.entries(value).toSorted(byKey);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalValue(member as Json)}`).join()}}`;
}

// Large integers print as their digits, whether as a number (1e+21) or as a bigint, but without zeros at the
// end: 1e308 would become 309 digits.
function scalarText(value: Json): string {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (!isLarge && typeof value !== 'bigint') return JSON.stringify(value);
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const zeros = digits.length - end;
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + zeros}`;
}

/** Returns whether two JSON values are equal, whatever the order of members. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => isSame(each, (b as readonly unknown[])[index]))
    );
  }
  if (isObject(a as Json) && isObject(b as Json)) {
    const [one, other] = [a as JsonObject, b as JsonObject];
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
    );
  }
  // A wide integer may be a number in one value and a bigint in the other.
  const areNumbers = [a, b].every((each) => typeof each === 'number' || typeof each === 'bigint');
  return areNumbers && scalarText(a as Json) === scalarText(b as Json);
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
