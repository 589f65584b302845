import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

/** What is compared each with each takes a moment up to here. */
const MOST_VALUES = 500;

/**
 * A deep copy that is valid where the document is, without long lists of `enum`: a validator of the
 * meta-schema that compares each value with each other takes minutes for 200,000 of them. A list
 * whose values differ becomes its first value; one that repeats a value becomes that value twice.
 */
export function shortenEnums(document: JsonObject): JsonObject {
  return copy(document) as JsonObject;
}

function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, copyMember(key, member)]),
  );
}

// An extension may have a list of that name that is something else.
function copyMember(key: string, member: Json): Json {
  if (key.startsWith('x-')) return structuredClone(member);
  return key === 'enum' ? shorten(member) : copy(member);
}

function shorten(values: Json): Json {
  if (!Array.isArray(values) || values.length <= MOST_VALUES || !values.every(isScalar)) {
    return copy(values);
  }
  const seen = new Set<Json>();
  const repeated = values.find((value: Json) => seen.size === seen.add(value).size);
  return repeated === undefined ? values.slice(0, 1) : [repeated, repeated];
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}
