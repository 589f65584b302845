import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { mapKeywords, schemaKeywords } from '../schema/keywords.ts';

/** The keyword that counts the work of a schema with each value that is validated against it. */
export const WORK = 'x-specgate-work';

/** The work of smaller schemas is not counted, except in loops. */
const MIN_COUNTED = 32;

/** Enumerations of at least this many values are looked up instead of compared with each value. */
export const MIN_LOOKED_UP = 200;

/** Compared values, and looked up properties, that together take as long as another keyword. */
const COMPARED_PER_KEYWORD = 8;

/** Keywords that apply schemas to the same value. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies']);

/**
 * Adds the keyword `WORK` to all schemas that may take long with a single value. Their number of keywords,
 * branches and names may be any, and so may the number of values.
 */
export function countingWork(schema: Schema): Schema {
  return counting(schema, true);
}

/** Returns the work that a loop counts for each element or member. */
export function workInLoop(schema: unknown): number {
  const work = workOf(schema as Json);
  return work < MIN_COUNTED ? work : 1;
}

function counting(schema: Json, isWhole: boolean): Schema {
  if (!isObject(schema)) return schema as Schema;
  const converted = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    const each = (part: Json) => counting(part, !IN_PLACE.has(keyword));
    if (mapKeywords.has(keyword) && isObject(value)) return [keyword, mapMembers(value, each)];
    if (!schemaKeywords.has(keyword)) return [keyword, value];
    return [keyword, Array.isArray(value) ? (value as Json[]).map(each) : each(value)];
  });
  const work = isWhole ? workOf(schema) : 0;
  if (work >= MIN_COUNTED) converted.push([WORK, work]);
  return Object.fromEntries(converted);
}

function mapMembers(object: JsonObject, convert: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}

/** Returns about how many keywords are applied to a value itself, apart from its elements and members. */
function workOf(schema: Json): number {
  if (!isObject(schema)) return 1;
  return Object.entries(schema).reduce((sum, each) => sum + workOfKeyword(...each), 0);
}

function workOfKeyword(keyword: string, value: Json): number {
  if (IN_PLACE.has(keyword) && typeof value === 'object' && value !== null) {
    if (!mapKeywords.has(keyword) && !Array.isArray(value)) return 1 + workOf(value);
    return (Object.values(value) as Json[]).reduce<number>(
      (sum, part) => sum + workOfPart(part),
      1,
    );
  }
  if (keyword === 'enum') return 1 + workOfEnum(value);
  if (keyword === 'properties') return 1 + sizeOf(value) / COMPARED_PER_KEYWORD;
  return 1 + (Array.isArray(value) && keyword !== 'items' ? value.length : 0);
}

/** Returns the work of a branch, or of the names that a property requires. */
function workOfPart(part: Json): number {
  return Array.isArray(part) ? part.length : workOf(part);
}

function workOfEnum(values: Json): number {
  const length = Array.isArray(values) ? values.length : 0;
  // Looking up a value counts its own work.
  return length < MIN_LOOKED_UP ? length / COMPARED_PER_KEYWORD : 0;
}

function sizeOf(value: Json): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
