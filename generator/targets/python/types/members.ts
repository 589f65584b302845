import {
  isObject,
  isSchema,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../common/json/value.ts';
import { componentOf } from '../../../model/type-names.ts';
import type { Model } from '../../../model/model.ts';
import { constrains } from '../../types/type-schema.ts';

/** A member an object may have. */
export interface ObjectMember {
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export type Members = ReadonlyMap<string, ObjectMember>;

/** One way an object can be, and what the branch of the union that makes it is called. */
export interface Variant {
  readonly members: Members;
  readonly title: string;
}

/** More ways than this are not told apart: what they share is what the type says. */
const MAX_VARIANTS = 12;

const NOTHING: Members = new Map();

/**
 * The ways an object of the schema can be, what its parts (`allOf`) and references say put together;
 * null when it is not an object with members that are known.
 */
export function variantsOf(
  model: Model,
  schema: Schema,
  within: readonly string[] = [],
): readonly Variant[] | null {
  if (!isObject(schema)) return null;
  const component = componentOf(schema);
  if (component !== null) {
    if (within.includes(component)) return null;
    const target = model.schemas.get(component)?.schema ?? true;
    return variantsOf(model, target, [...within, component]);
  }
  if ('type' in schema && schema['type'] !== 'object') return null;
  if ('const' in schema || 'enum' in schema || 'items' in schema) return null;
  let variants: readonly Variant[] = [{ members: ownMembers(schema), title: '' }];
  for (const part of schemasAt(schema['allOf']).filter(constrains)) {
    const more = variantsOf(model, part, within);
    if (more === null) return null;
    variants = cross(variants, more);
  }
  for (const branches of branchesOf(schema)) {
    const more = branches.map((branch) => variantsOf(model, branch, within));
    if (more.some((each) => each === null)) return null;
    const titled = branches.flatMap((branch, index) =>
      more[index]!.map((each) => ({ ...each, title: each.title || titleOf(model, branch) })),
    );
    variants = cross(variants, titled);
  }
  return variants.length > MAX_VARIANTS ? [shared(variants)] : variants;
}

/** The unions of a schema that say something of what its values are. */
export function branchesOf(schema: JsonObject): readonly (readonly Schema[])[] {
  return ['anyOf', 'oneOf']
    .map((keyword) => schemasAt(schema[keyword]))
    .filter((branches) => branches.length > 0 && branches.every(constrains));
}

/** What a branch is called: its title, or the name of the component it is. */
export function titleOf(model: Model, schema: Schema): string {
  if (!isObject(schema)) return '';
  const title = schema['title'];
  const component = componentOf(schema);
  if (component !== null) return model.schemas.get(component)?.name ?? component;
  return typeof title === 'string' ? title : '';
}

export function schemasAt(value: Json | undefined): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isSchema) : [];
}

function ownMembers(schema: JsonObject): Members {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const keys = new Set([...Object.keys(properties), ...required]);
  const members = [...keys].map((key): [string, ObjectMember] => [
    key,
    {
      schema: Object.hasOwn(properties, key) ? (properties[key] as Schema) : true,
      isRequired: required.includes(key),
    },
  ]);
  return new Map(members.filter(([, { schema: own, isRequired }]) => own !== false || isRequired));
}

function cross(left: readonly Variant[], right: readonly Variant[]): readonly Variant[] {
  return left.flatMap((one) =>
    right.map((other) => ({
      members: merge(one.members, other.members),
      title: [one.title, other.title].filter((title) => title !== '').join(' '),
    })),
  );
}

/** What is said of a member later counts, unless it says nothing. */
function merge(left: Members, right: Members): Members {
  const merged = new Map(left);
  for (const [key, member] of right) {
    const known = left.get(key);
    merged.set(key, {
      schema: known !== undefined && !constrains(member.schema) ? known.schema : member.schema,
      isRequired: member.isRequired || known?.isRequired === true,
    });
  }
  return merged;
}

function shared(variants: readonly Variant[]): Variant {
  const [first, ...others] = variants;
  const members = [...(first?.members ?? NOTHING)].filter(([key]) =>
    others.every((other) => other.members.has(key)),
  );
  return { members: new Map(members), title: '' };
}
