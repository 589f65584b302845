import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';
import { wordSet } from '../model/reserved.ts';

const SINGLE = wordSet('contains additionalProperties propertyNames if then else not');
const LISTS = wordSet('allOf anyOf oneOf');
const MAPS = wordSet('properties patternProperties');

/** Annotations that may stand beside a `$ref`; draft-07 ignores all other keywords there. */
const BESIDE_REF = ['title', 'description', 'deprecated'];

/**
 * Converts a JSON Schema from draft-07, the dialect of OpenRPC, to draft 2020-12, that of OpenAPI 3.1:
 * the same values are valid. `rename` returns the new reference for each `$ref`.
 */
export function toDraft2020(schema: Schema, rename: (reference: string) => string): Schema {
  if (typeof schema === 'boolean') return schema;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return { ...pick(schema, BESIDE_REF), $ref: rename(reference) };
  }
  const convert = (value: Json): Json => (isSchema(value) ? toDraft2020(value, rename) : value);
  const converted = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (LISTS.has(keyword) && Array.isArray(value)) return [[keyword, value.map(convert)]];
    if (MAPS.has(keyword)) return [[keyword, mapMembers(value, convert)]];
    if (SINGLE.has(keyword)) return [[keyword, convert(value)]];
    return REPLACED.has(keyword) ? [] : [[keyword, value]];
  });
  return {
    ...Object.fromEntries(converted),
    ...itemsOf(schema, convert),
    ...dependenciesOf(schema, convert),
  };
}

/** Keywords that have another name or meaning in draft 2020-12, or none once a document is bundled. */
const REPLACED = wordSet('items additionalItems dependencies definitions $defs $id $schema');

/**
 * Converts `items`: a list becomes `prefixItems`, and `additionalItems` becomes `items` (JSON Schema
 * 2020-12, 10.3.1).
 */
function itemsOf(
  { items, additionalItems }: JsonObject,
  convert: (value: Json) => Json,
): JsonObject {
  if (items === undefined) return {};
  if (!Array.isArray(items)) return { items: convert(items) };
  return {
    // `prefixItems` must not be empty.
    ...(items.length > 0 && { prefixItems: items.map(convert) }),
    ...(additionalItems !== undefined && { items: convert(additionalItems) }),
  };
}

function dependenciesOf({ dependencies }: JsonObject, convert: (value: Json) => Json): JsonObject {
  if (!isObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isSchema(value));
  return {
    ...(required.length > 0 && { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length > 0 && {
      dependentSchemas: mapMembers(Object.fromEntries(schemas), convert),
    }),
  };
}

function mapMembers(value: Json, convert: (value: Json) => Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, convert(each)]));
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}
