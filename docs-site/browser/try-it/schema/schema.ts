import type { Json } from '../../../../common/samples/sample.ts';

/** The keywords of JSON Schema that the form reads. */
export type Schema = boolean | SchemaObject;

export interface SchemaObject {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[];
  readonly prefixItems?: readonly Schema[];
  readonly additionalItems?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly 'x-expected'?: string;
}

export type FindComponent = (ref: string) => Schema | undefined;

/** Bounds chains of references and nested allOf. */
const MAX_STEPS = 64;

/**
 * Resolves the reference and merges the allOf of one schema level; outer keywords win. `false` and
 * `true` become schemas without keywords.
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

/** Merges two schemas that both apply; the outer one provides title and description. */
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

/** Adds members that only `then` or `else` describes. */
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
