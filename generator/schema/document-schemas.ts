import { joinPointer } from '../../common/json/pointer.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';
import { placeAt, type SchemaPlace } from './subschemas.ts';

/**
 * Yields every JSON Schema of an OpenRPC document: component schemas, then content descriptors,
 * params and results, and those of extensions.
 */
export function* documentSchemas(document: JsonObject): Generator<SchemaPlace> {
  const components = objectAt(document, 'components');
  const schemas = objectAt(components, 'schemas');
  for (const key of Object.keys(schemas)) yield* placeAt(schemas, key, '/components/schemas');
  yield* inMembers(objectAt(components, 'contentDescriptors'), {
    member: 'schema',
    pointer: '/components/contentDescriptors',
  });
  for (const [index, method] of listAt(document, 'methods').entries()) {
    const pointer = joinPointer('/methods', index);
    yield* inMembers(listAt(method, 'params'), { member: 'schema', pointer: `${pointer}/params` });
    yield* placeAt(objectAt(method, 'result'), 'schema', `${pointer}/result`);
  }
  yield* extensionSchemas(document);
}

/**
 * Yields the schemas of extensions: of the `data` of errors, and of results (`x-result-cases` and
 * `x-service-methods`).
 */
export function* extensionSchemas(document: JsonObject): Generator<SchemaPlace> {
  for (const [index, method] of listAt(document, 'methods').entries()) {
    yield* inMembers(listAt(method, 'x-result-cases'), {
      member: 'schema',
      pointer: `/methods/${index}/x-result-cases`,
    });
  }
  yield* inMembers(listAt(document, 'x-errors'), { member: 'data', pointer: '/x-errors' });
  yield* inMembers(listAt(document, 'x-service-methods'), {
    member: 'result',
    pointer: '/x-service-methods',
  });
}

function* inMembers(
  members: JsonObject | readonly JsonObject[],
  { member, pointer }: { readonly member: string; readonly pointer: string },
): Generator<SchemaPlace> {
  for (const [key, value] of Object.entries(members)) {
    if (isObject(value)) yield* placeAt(value, member, joinPointer(pointer, key));
  }
}

/** Matches the pointer to the outermost schema of a place. */
export const SCHEMA_ROOT =
  /^\/(?:components\/schemas\/[^/]+|components\/contentDescriptors\/[^/]+\/schema|methods\/\d+\/(?:params\/\d+|result|x-result-cases\/\d+)\/schema|x-errors\/\d+\/data|x-service-methods\/\d+\/result)(?=\/|$)/;

/** Returns the object at `parent[key]`, or an empty one: invalid documents are walked too. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isObject(value) ? value : {};
}

/** Returns the list at `parent[key]`, with an empty object for each member of another type. */
export function listAt(parent: JsonObject, key: string): readonly JsonObject[] {
  const value = parent[key];
  return Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];
}
