import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../common/json/value.ts';
import { componentOf } from '../../model/type-names.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { listOf, namesIn, typesOf, usersOf } from './schema-view.ts';

/**
 * The component schemas no finite value can be valid against, for want of an end to their recursion.
 * What else may make a schema impossible is not looked at.
 */
export function findInfinite(document: JsonObject): readonly string[] {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  const finite = new Set<string>();
  const users = usersOf(schemas);
  const isFinite = (schema: Schema): boolean => {
    if (!isObject(schema)) return true;
    if (typeof schema['$ref'] === 'string') {
      const name = componentOf(schema);
      return name === null || !isSchema(schemas[name]) || finite.has(name);
    }
    if (!listOf(schema, 'allOf').every(isFinite)) return false;
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = listOf(schema, keyword);
      if (branches.length > 0 && !branches.some(isFinite)) return false;
    }
    return hasFiniteMembers(schema, isFinite);
  };
  // Once a schema is known to end, those that use it may be too; each is looked at again only then.
  const ahead = Object.keys(schemas);
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    const schema = schemas[name];
    if (finite.has(name) || (isSchema(schema) && !isFinite(schema))) continue;
    finite.add(name);
    ahead.push(...(users.get(name) ?? []));
  }
  return Object.keys(schemas).filter((name) => !finite.has(name));
}

/** False where a value needs a member that does not end; of another type it needs none. */
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
