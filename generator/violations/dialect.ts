import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { componentOf } from '../model/type-names.ts';
import { mapKeywords, plainKeywords, schemaKeywords } from '../schema/keywords.ts';

/**
 * Reduces a schema to draft-07 keywords, so that the compiler embeds and interprets nothing else. A
 * reference becomes the id of its component, alone: draft-07 (8.3) ignores its siblings.
 */
export function toDialect(schema: Schema, idOf: (component: string) => string): Schema {
  if (!isObject(schema)) return schema;
  const component = componentOf(schema);
  if (component !== null) return { $ref: idOf(component) };
  const convert = (value: Json) => convertEach(value, idOf);
  return Object.fromEntries(
    Object.entries(withoutProto(schema)).flatMap(([keyword, value]): [string, Json][] => {
      if (plainKeywords.has(keyword)) return [[keyword, value]];
      // Specgate's formats use their own keyword because other tools reject an unknown `format`.
      if (keyword === 'x-format') return typeof value === 'string' ? [['format', value]] : [];
      if (schemaKeywords.has(keyword)) return [[keyword, convert(value)]];
      if (!mapKeywords.has(keyword) || !isObject(value)) return [];
      return [[keyword, mapMembers(value, convert)]];
    }),
  );
}

// Ajv skips a property with this name, but checks a pattern that matches only this name.
const PROTO = '__proto__';
const PROTO_PATTERN = '^__proto__$';

function withoutProto(schema: JsonObject): JsonObject {
  const { properties, patternProperties = {} } = schema;
  if (!isObject(properties) || !Object.hasOwn(properties, PROTO)) return schema;
  const others = Object.entries(properties).filter(([key]) => key !== PROTO);
  const patterns = isObject(patternProperties) ? patternProperties : {};
  const also = patterns[PROTO_PATTERN];
  const own = properties[PROTO]!;
  return {
    ...schema,
    properties: Object.fromEntries(others),
    patternProperties: {
      ...patterns,
      [PROTO_PATTERN]: also === undefined ? own : { allOf: [own, also] },
    },
  };
}

function convertEach(value: Json, idOf: (component: string) => string): Json {
  if (!Array.isArray(value)) return toDialect(value as Schema, idOf);
  // Strings are the names in a property's dependencies.
  return value.map((each) => (typeof each === 'string' ? each : toDialect(each as Schema, idOf)));
}

function mapMembers(object: JsonObject, convert: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}
