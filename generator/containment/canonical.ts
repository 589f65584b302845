import type { Json } from '../../common/json/value.ts';

/** Keywords whose list says the same in any order. */
const UNORDERED = new Set(['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf']);

/** Keywords whose members are names of the document's, not keywords. */
const MAPS = new Set(['properties', 'patternProperties', 'dependencies']);

/** Keywords whose value is data. */
const DATA = new Set(['enum', 'const']);

/** A text that two schemas share only when they say the same: the order they say it in is left out. */
export function canonicalSchema(schema: Json): string {
  if (Array.isArray(schema)) return `[${schema.map(canonicalSchema).join()}]`;
  if (typeof schema !== 'object' || schema === null) return JSON.stringify(schema);
  const members = Object.entries(schema).toSorted(byKey);
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${keywordText(key, value as Json)}`).join()}}`;
}

function keywordText(keyword: string, value: Json): string {
  if (Array.isArray(value)) {
    const texts = value.map(DATA.has(keyword) ? canonicalValue : canonicalSchema);
    if (!UNORDERED.has(keyword)) return `[${texts.join()}]`;
    // A value that two equal variants of oneOf allow is refused.
    return `[${(keyword === 'oneOf' ? texts : [...new Set(texts)]).sort().join()}]`;
  }
  if (DATA.has(keyword)) return canonicalValue(value);
  if (!MAPS.has(keyword) || typeof value !== 'object' || value === null)
    return canonicalSchema(value);
  const members = Object.entries(value).toSorted(byKey);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalDependency(member as Json)}`).join()}}`;
}

// The names a property depends on may stand in any order; of schemas, a map holds no lists.
function canonicalDependency(value: Json): string {
  return Array.isArray(value)
    ? `[${value.map(canonicalSchema).sort().join()}]`
    : canonicalSchema(value);
}

/** A text that two JSON values share only when they are equal. */
export function canonicalValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(byKey);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalValue(member as Json)}`).join()}}`;
}

/** Returns whether two JSON values are equal, whatever the order of members. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalValue(a as Json) === canonicalValue(b as Json);
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
