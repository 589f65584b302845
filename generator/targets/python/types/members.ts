import { isObject, type JsonObject, type Schema } from '../../../../common/json/value.ts';
import { branchesOf, titleOf } from '../../../model/inline-types.ts';
import { stringsAt } from '../../../model/member.ts';
import type { Model } from '../../../model/model.ts';
import { componentOf } from '../../../model/type-names.ts';
import { objectAt } from '../../../schema/document-schemas.ts';
import { constrains, schemaList } from '../../../schema/subschemas.ts';

interface ObjectMember {
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export type Members = ReadonlyMap<string, ObjectMember>;

/** An alternative of a union of objects, and the title of its branch. */
export interface Variant {
  readonly members: Members;
  readonly title: string;
}

/** With more variants, the type has only the members that all of them share. */
const MAX_VARIANTS = 12;

/**
 * Returns the variants of an object schema, with `allOf` and references merged; null when it is not an
 * object with known members.
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
  for (const part of schemaList(schema['allOf']).filter(constrains)) {
    const more = variantsOf(model, part, within);
    if (more === null) return null;
    variants = cross(variants, more);
  }
  for (const branches of branchesOf(schema)) {
    const more = branches.map((branch) => variantsOf(model, branch, within));
    if (more.some((each) => each === null)) return null;
    const titled = branches.flatMap((branch, index) =>
      more[index]!.map((each) => ({ ...each, title: each.title || titleOf(branch) })),
    );
    variants = cross(variants, titled);
  }
  return variants.length > MAX_VARIANTS ? [shared(variants)] : variants;
}

function ownMembers(schema: JsonObject): Members {
  const properties = objectAt(schema, 'properties');
  const required = stringsAt(schema, 'required');
  const keys = new Set([...Object.keys(properties), ...required]);
  const members = [...keys].map((key): [string, ObjectMember] => {
    const own = Object.hasOwn(properties, key) ? (properties[key] as Schema) : true;
    return [key, { schema: own, isRequired: required.includes(key) }];
  });
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

/** The later schema of a member wins if it constrains the member. */
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
  const members = [...variants[0]!.members].filter(([key]) =>
    variants.every((other) => other.members.has(key)),
  );
  return { members: new Map(members), title: '' };
}
