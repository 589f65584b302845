import { joinPointer } from '../../common/json/pointer.ts';
import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../common/json/value.ts';
import { listKeywords, namedKeywords, singleKeywords } from './keywords.ts';

/** A JSON Schema at `holder[key]`, and the pointer to it. */
export interface SchemaPlace {
  readonly schema: Schema;
  readonly holder: JsonObject | readonly Json[];
  readonly key: string | number;
  readonly pointer: string;
}

/** Returns the schemas directly below `schema`. */
export function subschemasOf(schema: JsonObject, pointer: string): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [];
  for (const keyword of singleKeywords) places.push(...placeAt(schema, keyword, pointer));
  for (const keyword of listKeywords) {
    const list = schema[keyword];
    const below = joinPointer(pointer, keyword);
    if (Array.isArray(list)) list.forEach((_, i) => places.push(...placeAt(list, i, below)));
  }
  for (const keyword of namedKeywords) {
    const map = schema[keyword];
    const below = joinPointer(pointer, keyword);
    if (isObject(map)) for (const key of Object.keys(map)) places.push(...placeAt(map, key, below));
  }
  return places;
}

/** Returns the schema at `holder[key]`; nothing when there is no schema. */
export function placeAt(
  holder: JsonObject | readonly Json[],
  key: string | number,
  pointer: string,
): readonly SchemaPlace[] {
  const schema = (holder as Readonly<Record<string | number, Json>>)[key];
  return isSchema(schema) ? [{ schema, holder, key, pointer: joinPointer(pointer, key) }] : [];
}

/** Yields `roots` and every schema below them, parents first. References are not followed. */
export function* walkSchemas(roots: Iterable<SchemaPlace>): Generator<SchemaPlace> {
  for (const root of roots) {
    const stack = [root];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      yield place;
      if (isObject(place.schema)) {
        // Not spread into one call, which takes a limited number of arguments.
        for (const below of subschemasOf(place.schema, place.pointer).toReversed()) {
          stack.push(below);
        }
      }
    }
  }
}

/** Yields `schema` and every schema below it. */
export function* schemasIn(schema: Schema): Generator<Schema> {
  for (const place of walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }])) {
    yield place.schema;
  }
}

/** Returns the schemas in the list of a keyword such as `allOf`; none when it is not a list. */
export function schemaList(value: Json | undefined): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isSchema) : [];
}

/** Returns the schemas of `allOf`, `anyOf` and `oneOf`. */
export function branchesOf(schema: JsonObject): readonly Schema[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemaList(schema[keyword]));
}

/** Checks whether a type of a programming language can express anything that `schema` demands. */
export function constrains(schema: Schema): boolean {
  if (typeof schema === 'boolean') return !schema;
  const own = ['$ref', 'type', 'enum', 'const', 'properties', 'patternProperties', 'items'];
  if (own.some((keyword) => keyword in schema)) return true;
  if (schema['additionalProperties'] !== undefined) return schema['additionalProperties'] !== true;
  return (
    schemaList(schema['allOf']).some(constrains) ||
    ['anyOf', 'oneOf'].some(
      (keyword) => keyword in schema && schemaList(schema[keyword]).every(constrains),
    )
  );
}
