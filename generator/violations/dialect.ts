import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { componentOf } from '../model/type-names.ts';
import { mapKeywords, plainKeywords, schemaKeywords } from '../schema/keywords.ts';

/**
 * A schema as the compiler gets it: draft-07 keywords only, so that nothing else is embedded in the
 * code or read differently; a reference alone, as draft-07 (8.3) ignores what stands beside it, and
 * as the id that `idOf` gives the component schema.
 */
export function toDialect(schema: Schema, idOf: (component: string) => string): Schema {
  if (!isObject(schema)) return schema;
  const component = componentOf(schema);
  if (component !== null) return { $ref: idOf(component) };
  const convert = (value: Json) => convertEach(value, idOf);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      if (plainKeywords.has(keyword)) return [[keyword, value]];
      // Our own formats have a keyword of their own: other tools stop at a `format` they do not know.
      if (keyword === 'x-format') return [['format', value]];
      if (schemaKeywords.has(keyword)) return [[keyword, convert(value)]];
      if (!mapKeywords.has(keyword) || !isObject(value)) return [];
      return [[keyword, mapMembers(value, convert)]];
    }),
  );
}

function convertEach(value: Json, idOf: (component: string) => string): Json {
  if (!Array.isArray(value)) return toDialect(value as Schema, idOf);
  // Of the lists, only that of a property's dependencies holds names rather than schemas.
  return value.map((each) => (typeof each === 'string' ? each : toDialect(each as Schema, idOf)));
}

function mapMembers(object: JsonObject, convert: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value)]));
}
