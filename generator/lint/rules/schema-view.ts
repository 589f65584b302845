import { isObject, isSchema, type JsonObject, type Schema } from '../../../common/json/value.ts';
import { memberOf } from '../../../common/json/pointer.ts';
import { componentOf } from '../../model/type-names.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { schemasIn } from '../../schema/subschemas.ts';

/** A longer chain of references is circular. */
const MAX_HOPS = 100;

/** Returns the schema that `schema` refers to, or itself; `true` if the reference does not resolve. */
export function followed(document: JsonObject, schema: Schema): Schema {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  let found = schema;
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const name = componentOf(found);
    if (name === null) return isObject(found) && typeof found['$ref'] === 'string' ? true : found;
    const target = memberOf(schemas, name);
    if (!isSchema(target)) return true;
    found = target;
  }
  return true;
}

/** The strings of a list keyword. */
export function namesIn(schema: JsonObject, keyword: string): readonly string[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

/** Returns the types that a schema declares, for "number" also "integer"; null if it declares none. */
export function typesOf(schema: Schema): ReadonlySet<string> | null {
  if (!isObject(schema)) return null;
  const { type } = schema;
  const list = Array.isArray(type) ? (type as readonly string[]) : [type];
  if (type === undefined) return null;
  return new Set(
    list.flatMap((each) => (each === 'number' ? ['number', 'integer'] : [String(each)])),
  );
}

export function usersOf(schemas: JsonObject): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [user, schema] of Object.entries(schemas)) {
    if (!isSchema(schema)) continue;
    for (const each of schemasIn(schema)) {
      const used = componentOf(each);
      if (used === null) continue;
      const list = users.get(used) ?? [];
      list.push(user);
      users.set(used, list);
    }
  }
  return users;
}
