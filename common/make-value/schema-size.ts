import { isObject } from '../json/value.ts';
import type { SchemaObject } from './combine-schemas.ts';

/** Counts the keywords and properties of a schema. */
export function entriesOf(schema: SchemaObject): number {
  const { properties } = schema;
  return Object.keys(schema).length + (isObject(properties) ? Object.keys(properties).length : 0);
}

/** Returns the size of the lists in a schema; the values of combined enumerations are compared as text. */
export function listedIn({ required, enum: values, type }: SchemaObject): number {
  return [required, values, type].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? sizeOf(list) : 0),
    0,
  );
}

/** Lengths of schema values as JSON, kept because the next call of the same method needs them again. */
const sizes = new WeakMap<object, number>();

/** Returns the length of a value of a schema as JSON. */
export function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return String(value).length;
  const size = sizes.get(value) ?? JSON.stringify(value).length;
  sizes.set(value, size);
  return size;
}
