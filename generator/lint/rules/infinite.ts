import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../common/json/value.ts';
import { memberOf } from '../../../common/json/pointer.ts';
import { componentOf } from '../../model/type-names.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { namesIn, typesOf, usersOf } from './schema-view.ts';
import { schemaList } from '../../schema/subschemas.ts';

/**
 * Returns the component schemas that no finite value satisfies because their recursion never ends.
 * Other contradictions are not considered.
 */
export function findInfinite(document: JsonObject): readonly string[] {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const finite = new Set<string>();
  const users = usersOf(schemas);
  const isFinite = (schema: Schema): boolean => {
    if (!isObject(schema)) return true;
    if (typeof schema['$ref'] === 'string') {
      const name = componentOf(schema);
      return name === null || !isSchema(memberOf(schemas, name)) || finite.has(name);
    }
    if (!schemaList(schema['allOf']).every(isFinite)) return false;
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schemaList(schema[keyword]);
      if (branches.length > 0 && !branches.some(isFinite)) return false;
    }
    return hasFiniteMembers(schema, isFinite);
  };
  // Once a schema is known to end, the schemas that use it are examined again.
  const ahead = Object.keys(schemas);
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    const schema = schemas[name];
    if (finite.has(name) || (isSchema(schema) && !isFinite(schema))) continue;
    finite.add(name);
    for (const user of users.get(name) ?? []) ahead.push(user);
  }
  return Object.keys(schemas).filter((name) => !finite.has(name));
}

/** Returns whether a finite value exists: false if it needs a member that never ends. */
function hasFiniteMembers(schema: JsonObject, isFinite: (schema: Schema) => boolean): boolean {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return true;
  const types = typesOf(schema);
  const is = (type: string) => types !== null && types.size === 1 && types.has(type);
  const properties = objectAt(schema, 'properties');
  const member = (value: Json | undefined) => !isSchema(value) || isFinite(value);
  const isMissing = namesIn(schema, 'required').some(
    (name) => Object.hasOwn(properties, name) && !member(properties[name]),
  );
  if (is('object') && isMissing) return false;
  return !(is('array') && Number(schema['minItems'] ?? 0) > 0 && !member(schema['items']));
}
