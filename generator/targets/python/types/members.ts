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

/** An alternative of a union of objects, and the different titles of its branches. */
export interface Variant {
  readonly members: Members;
  readonly titles: readonly string[];
}

/** With more variants, the type has only the members that all of them share. */
const MAX_VARIANTS = 12;

/**
 * Maximum number of members that are merged for all types together. In a chain of components, each `allOf`
 * the next, every type has the members of all after it. Types beyond it are those of the first part.
 */
const MAX_MERGED = 200_000;

/** Maximum number of components in a chain of references; each takes stack space. */
const MAX_CHAIN = 500;

/** Returns the variants of an object schema; null when it is not an object with known members. */
export type FindVariants = (schema: Schema) => readonly Variant[] | null;

/**
 * Creates a function that finds variants, with `allOf` and references merged. It reads each schema once:
 * the paths to it can be exponentially many.
 */
export function createVariants(model: Model): FindVariants {
  const known = new WeakMap<JsonObject, readonly Variant[] | null>();
  let chain = 0;
  let left = MAX_MERGED;

  function variantsOf(schema: Schema): readonly Variant[] | null {
    if (!isObject(schema)) return null;
    const component = componentOf(schema);
    if (component !== null) return variantsOfComponent(component);
    const found = known.get(schema);
    if (found !== undefined) return found;
    // Ends the recursion for a schema that is a part of itself.
    known.set(schema, null);
    const variants = merged(schema);
    known.set(schema, variants);
    return variants;
  }

  function variantsOfComponent(component: string): readonly Variant[] | null {
    if (chain >= MAX_CHAIN) return null;
    chain += 1;
    const variants = variantsOf(model.schemas.get(component)?.schema ?? true);
    chain -= 1;
    return variants;
  }

  function merged(schema: JsonObject): readonly Variant[] | null {
    if ('type' in schema && schema['type'] !== 'object') return null;
    if ('const' in schema || 'enum' in schema || 'items' in schema) return null;
    let variants: readonly Variant[] = [{ members: ownMembers(schema), titles: [] }];
    for (const part of schemaList(schema['allOf']).filter(constrains)) {
      const more = variantsOf(part);
      if (more === null || !isAffordable(variants, more)) return null;
      variants = cross(variants, more);
    }
    for (const branches of branchesOf(schema)) {
      const more = branches.map(variantsOf);
      if (more.some((each) => each === null)) return null;
      const named = branches.flatMap((branch, index) => titled(more[index]!, branch));
      if (!isAffordable(variants, named)) return null;
      variants = cross(variants, named);
    }
    return variants;
  }

  function isAffordable(one: readonly Variant[], other: readonly Variant[]): boolean {
    left -= membersIn(one) * other.length + membersIn(other) * one.length;
    return left >= 0;
  }

  return variantsOf;
}

function membersIn(variants: readonly Variant[]): number {
  return variants.reduce((sum, { members }) => sum + members.size, 0);
}

/** Gives the variants of a branch its title, unless they have titles of their own. */
function titled(variants: readonly Variant[], branch: Schema): readonly Variant[] {
  const titles = [titleOf(branch)].filter((title) => title !== '');
  return variants.map((each) => (each.titles.length > 0 ? each : { ...each, titles }));
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

/** Combines two lists of variants; too many become one with the members that all of them share. */
function cross(left: readonly Variant[], right: readonly Variant[]): readonly Variant[] {
  if (left.length * right.length > MAX_VARIANTS) {
    return [{ members: merge(shared(left), shared(right)), titles: [] }];
  }
  return left.flatMap((one) =>
    right.map((other) => ({
      members: merge(one.members, other.members),
      titles: [...new Set([...one.titles, ...other.titles])],
    })),
  );
}

/** Merges members. The later schema of a member wins if it constrains the member. */
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

function shared(variants: readonly Variant[]): Members {
  const [first, ...others] = variants;
  const members = [...(first?.members ?? [])];
  return new Map(members.filter(([key]) => others.every((other) => other.members.has(key))));
}
