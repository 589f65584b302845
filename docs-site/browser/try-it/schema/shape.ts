import type { Json } from '../../../../common/samples/sample.ts';
import { flatten, join, type FindComponent } from './schema.ts';
import type { Schema, SchemaObject } from './schema.ts';

/** The kind of control for a value. */
export type Shape =
  | { readonly kind: 'choice'; readonly choices: readonly Json[] }
  | { readonly kind: 'switch' }
  | ScalarShape
  | ObjectShape
  | ListShape
  | UnionShape
  | { readonly kind: 'json' };

/** A line of text with suggested values. */
export interface ScalarShape {
  readonly kind: 'scalar';
  readonly offers: readonly Json[];
  readonly takesText: boolean;
  readonly takesNumber: boolean;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly members: readonly MemberShape[];
  /** Schema of other members; false when none are allowed. */
  readonly others: Schema;
}

export interface MemberShape {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export interface ListShape {
  readonly kind: 'list';
  /** Schemas of the first items. */
  readonly first: readonly Schema[];
  /** Schema of the other items; false when none are allowed. */
  readonly rest: Schema;
  readonly minItems: number;
  readonly maxItems: number;
}

export interface UnionShape {
  readonly kind: 'union';
  readonly variants: readonly VariantShape[];
}

export interface VariantShape {
  readonly title: string;
  readonly schema: SchemaObject;
}

/** Returns the shape of a flattened schema. */
export function shapeOf(schema: SchemaObject, find: FindComponent): Shape {
  if (schema.const !== undefined) return { kind: 'choice', choices: [schema.const] };
  if (schema.enum !== undefined) return { kind: 'choice', choices: schema.enum };
  const variants = variantsOf(schema, find);
  if (variants.length > 1) return unionShape(variants, find);
  const [only = schema] = variants;
  switch (typesOf(only)[0]) {
    case 'boolean':
      return { kind: 'switch' };
    case 'null':
      return { kind: 'choice', choices: [null] };
    case 'string':
      return { kind: 'scalar', offers: [], takesText: true, takesNumber: false };
    case 'integer':
    case 'number':
      return { kind: 'scalar', offers: [], takesText: false, takesNumber: true };
    case 'object':
      return objectShape(only);
    case 'array':
      return listShape(only);
    default:
      return { kind: 'json' };
  }
}

/** Returns the alternatives of a schema, each with the keywords that apply to all. */
function variantsOf(schema: SchemaObject, find: FindComponent): readonly SchemaObject[] {
  const { oneOf, anyOf, ...base } = schema;
  const given = (oneOf ?? anyOf ?? []).map((variant) => flatten(variant, find));
  if (given.length > 0 && !given.every((variant) => isConstraint(variant, base))) {
    const { title: _, ...rest } = base;
    return given.flatMap((variant) => variantsOf(join(rest, variant), find));
  }
  const types = typesOf(base);
  if (types.length < 2 || base.enum !== undefined || base.const !== undefined) return [base];
  const { title: _, ...rest } = base;
  return types.map((type) => ({ ...rest, type }));
}

/** Whether a variant only restricts, e.g. requires one of several members. */
function isConstraint(variant: SchemaObject, base: SchemaObject): boolean {
  const { type, properties, items, oneOf, anyOf } = variant;
  const known = base.properties ?? {};
  const isNew = Object.keys(properties ?? {}).some((name) => !Object.hasOwn(known, name));
  const hasOwnLook =
    variant.enum !== undefined || variant.const !== undefined || (oneOf ?? anyOf) !== undefined;
  const isTyped = type !== undefined && type !== base.type;
  return base.properties !== undefined && !isNew && !isTyped && !hasOwnLook && items === undefined;
}

/** Returns the types a schema allows, stated or implied by keywords; empty for any. */
export function typesOf({ type, ...schema }: SchemaObject): readonly string[] {
  if (typeof type === 'string') return [type];
  if (type !== undefined)
    return type.includes('number') ? type.filter((t) => t !== 'integer') : type;
  const { properties, additionalProperties, patternProperties, required } = schema;
  if (properties ?? additionalProperties ?? patternProperties ?? required) return ['object'];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array'];
  return schema.pattern === undefined ? [] : ['string'];
}

/** Scalar alternatives share one input; others become tabs. */
function unionShape(variants: readonly SchemaObject[], find: FindComponent): Shape {
  const shapes = variants.map((variant) => shapeOf(variant, find));
  const isSwitch = shapes.some(({ kind }) => kind === 'switch');
  if (!shapes.every(({ kind }) => kind === 'scalar' || kind === 'choice' || kind === 'switch')) {
    const titles = variants.map((variant, index) => titleOf(variant, index));
    return {
      kind: 'union',
      variants: variants.map((schema, index) => ({
        title:
          titles.indexOf(titles[index]!) === index
            ? titles[index]!
            : `${titles[index]} ${index + 1}`,
        schema,
      })),
    };
  }
  const offers: Json[] = isSwitch ? [true, false] : [];
  for (const shape of shapes) if (shape.kind === 'choice') offers.push(...shape.choices);
  const unique = [...new Set(offers)];
  const scalars = shapes.filter((shape) => shape.kind === 'scalar');
  if (scalars.length === 0) return { kind: 'choice', choices: unique };
  return {
    kind: 'scalar',
    offers: unique,
    takesText: scalars.some(({ takesText }) => takesText),
    takesNumber: scalars.some(({ takesNumber }) => takesNumber),
  };
}

function titleOf(schema: SchemaObject, index: number): string {
  const { title, required = [], properties } = schema;
  return (
    title ??
    required[0] ??
    (properties && Object.keys(properties)[0]) ??
    typesOf(schema)[0] ??
    `Variant ${index + 1}`
  );
}

function objectShape(schema: SchemaObject): ObjectShape {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const names = [...new Set([...Object.keys(properties), ...required])];
  return {
    kind: 'object',
    members: names
      .filter((name) => properties[name] !== false)
      .map((name) => ({
        name,
        schema: properties[name] ?? true,
        isRequired: required.includes(name),
      })),
    others: additionalProperties ?? Object.values(patternProperties ?? {})[0] ?? true,
  };
}

function listShape(schema: SchemaObject): ListShape {
  const { prefixItems, items, additionalItems, minItems = 0, maxItems = Infinity } = schema;
  const tuple = prefixItems ?? (Array.isArray(items) ? (items as readonly Schema[]) : undefined);
  const after = prefixItems === undefined ? additionalItems : (items as Schema | undefined);
  return {
    kind: 'list',
    first: tuple ?? [],
    rest: tuple === undefined ? ((items as Schema | undefined) ?? true) : (after ?? true),
    minItems,
    maxItems,
  };
}
