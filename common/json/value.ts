/** JSON as data: what a parsed OpenRPC document is made of. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema: the boolean schemas `true` (anything) and `false` (nothing), or an object. */
export type Schema = boolean | JsonObject;

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON Schema in the wide sense: an object or a boolean. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/** The members of `object` whose key starts with `x-`, in the document's order. */
export function extensionsOf(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key.startsWith('x-')));
}

/** Freezes a JSON value all the way down and returns it; a frozen part is taken to be done. */
export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freezeDeep(member);
  }
  return value;
}
