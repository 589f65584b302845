import { duplicate } from '../../common/validators-runtime/helpers.js';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';

/** Lists up to this length are compared quickly. */
const MAX_VALUES = 500;

/**
 * Returns a deep copy without long `enum` lists, valid if the document is: the validator of the
 * meta-schema compares all pairs of values, which takes minutes for 200,000 of them. A list without
 * duplicates becomes its first value, any other a value and its duplicate.
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

// In an extension, `enum` may be something else.
function copyMember(key: string, member: Json): Json {
  if (key.startsWith('x-')) return structuredClone(member);
  return key === 'enum' ? shorten(member) : copy(member);
}

function shorten(values: Json): Json {
  if (!Array.isArray(values) || values.length <= MAX_VALUES) return copy(values);
  const repeated = duplicate(values);
  return repeated === null ? values.slice(0, 1) : repeated.map((index) => values[index] as Json);
}
