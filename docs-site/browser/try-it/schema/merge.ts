import type { Schema, SchemaObject } from './schema.ts';

/** The schema a `$ref` leads to, by the components at hand. */
export type FindComponent = (ref: string) => Schema | undefined;

/** References that lead to references, and schemas within allOf, end somewhere. */
const MAX_STEPS = 64;

/**
 * One level of a schema as one object: its reference followed, its allOf merged. What stands outside
 * wins over what is inside. `false` and `true` become schemas without keywords.
 */
export function flatten(schema: Schema, find: FindComponent, steps = 0): SchemaObject {
  if (typeof schema === 'boolean' || steps > MAX_STEPS) return {};
  const { $ref, allOf, ...own } = schema;
  const parts: Schema[] = [...(allOf ?? [])];
  const target = $ref === undefined ? undefined : find($ref);
  if (target !== undefined) parts.unshift(target);
  let merged: SchemaObject = {};
  for (const part of parts) merged = join(merged, flatten(part, find, steps + 1));
  return withConditions(join(merged, own), find);
}

/** `inner` and `outer` hold both: the outer one names and explains. */
export function join(inner: SchemaObject, outer: SchemaObject): SchemaObject {
  const both: { -readonly [K in keyof SchemaObject]: SchemaObject[K] } = { ...inner, ...outer };
  if (inner.properties !== undefined && outer.properties !== undefined) {
    const names = Object.keys({ ...inner.properties, ...outer.properties });
    both.properties = Object.fromEntries(
      names.map((name) => [name, joinMember(inner.properties![name], outer.properties![name])]),
    );
  }
  if (inner.required !== undefined && outer.required !== undefined) {
    both.required = [...new Set([...inner.required, ...outer.required])];
  }
  if (inner.enum !== undefined && outer.enum !== undefined) {
    both.enum = inner.enum.filter((value) => outer.enum!.includes(value));
  }
  if (inner.oneOf !== undefined && outer.oneOf !== undefined) {
    both.anyOf = [...(both.anyOf ?? []), ...inner.oneOf];
  }
  return both;
}

function joinMember(inner: Schema | undefined, outer: Schema | undefined): Schema {
  if (inner === undefined || outer === undefined) return outer ?? inner ?? true;
  return inner === true ? outer : outer === true ? inner : { allOf: [inner, outer] };
}

/** Members that only a condition describes can be set as well. */
function withConditions(schema: SchemaObject, find: FindComponent): SchemaObject {
  const { then, else: otherwise, additionalProperties } = schema;
  if (additionalProperties === false || (then === undefined && otherwise === undefined)) {
    return schema;
  }
  const found = [then, otherwise].flatMap((branch) =>
    branch === undefined ? [] : Object.entries(flatten(branch, find, MAX_STEPS).properties ?? {}),
  );
  const own = schema.properties ?? {};
  const added = found.filter(([name, member]) => !Object.hasOwn(own, name) && member !== false);
  return added.length === 0
    ? schema
    : { ...schema, properties: { ...own, ...Object.fromEntries(added) } };
}
