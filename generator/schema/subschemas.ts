import { joinPointer } from '../../common/json/pointer.ts';
import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';

/** A JSON Schema and where it stands: `holder[key]` is the schema, `pointer` leads to it. */
export interface SchemaPlace {
  readonly schema: Schema;
  readonly holder: JsonObject | readonly Json[];
  readonly key: string | number;
  readonly pointer: string;
}

/** Keywords of JSON Schema draft-07 whose value is a schema, a list of them, or a map of them. */
const SINGLE = [
  'additionalItems',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
];
const LISTS = ['items', 'allOf', 'anyOf', 'oneOf'];
const MAPS = ['properties', 'patternProperties', 'dependencies', 'definitions', '$defs'];

/** The schemas directly below `schema`, keyword by keyword. */
export function subschemasOf(schema: JsonObject, pointer: string): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [];
  for (const keyword of SINGLE) places.push(...placeAt(schema, keyword, pointer));
  for (const keyword of LISTS) {
    const list = schema[keyword];
    const below = joinPointer(pointer, keyword);
    if (Array.isArray(list)) list.forEach((_, i) => places.push(...placeAt(list, i, below)));
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    const below = joinPointer(pointer, keyword);
    if (isObject(map)) for (const key of Object.keys(map)) places.push(...placeAt(map, key, below));
  }
  return places;
}

/** The schema at `holder[key]` as a place; nothing when something else, or nothing, is there. */
export function placeAt(
  holder: JsonObject | readonly Json[],
  key: string | number,
  pointer: string,
): readonly SchemaPlace[] {
  const schema = (holder as Readonly<Record<string | number, Json>>)[key];
  return isSchema(schema) ? [{ schema, holder, key, pointer: joinPointer(pointer, key) }] : [];
}

/** `roots` and every schema below them, parents first, references not followed. */
export function* walkSchemas(roots: Iterable<SchemaPlace>): Generator<SchemaPlace> {
  for (const root of roots) {
    const stack = [root];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      yield place;
      if (isObject(place.schema)) {
        // One by one: there may be more than a call takes arguments.
        for (const below of subschemasOf(place.schema, place.pointer).toReversed()) {
          stack.push(below);
        }
      }
    }
  }
}
