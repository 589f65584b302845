import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../common/json/value.ts';
import { componentOf } from '../../../model/type-names.ts';
import type { Site } from '../site.ts';
import { resolveSchema } from './resolve.ts';
import { labelType, listOf, textOf, unionOf } from './type-label.ts';
import type { SchemaGroup, SchemaView } from './view.ts';

/** The place of a schema on a page. */
export interface Place {
  readonly name: string;
  /** The parts of the deep link; null for none. */
  readonly path: readonly string[] | null;
  readonly isRequired?: boolean | null;
  /** Replaces the schema's own description. */
  readonly description?: string;
  readonly isDeprecated?: boolean;
  /** Components that contain the place, which end a recursive type. */
  readonly trail?: readonly string[];
  readonly depth?: number;
}

/** The place of the schema whose parts are described. */
export type Within = Required<Pick<Place, 'path' | 'trail' | 'depth'>>;

interface Describing {
  readonly site: Site;
  readonly describe: (schema: Schema, place: Place) => SchemaView;
}

/** Groups the parts of a schema: fields, items, variants, conditions. */
export function groupsOf(
  schema: JsonObject,
  within: Within,
  describing: Describing,
): readonly SchemaGroup[] {
  const facets = facetsOf(schema, within.trail, describing);
  return [
    group('', fieldsOf(facets, within, describing)),
    ...facets.flatMap((facet) => partsOf(facet, within, describing)),
  ].filter(({ items }) => items.length > 0);
}

/** Returns the schema and everything in its `allOf`, as a flat list. */
function facetsOf(
  schema: JsonObject,
  trail: readonly string[],
  describing: Describing,
): readonly JsonObject[] {
  const merged = listOf(schema['allOf']).flatMap((part) => {
    const { component, schema: target } = resolveSchema(part, describing.site.model);
    if (!isObject(target) || (component !== null && trail.includes(component))) return [];
    return facetsOf(target, component === null ? trail : [...trail, component], describing);
  });
  return [...merged, schema];
}

function fieldsOf(
  facets: readonly JsonObject[],
  within: Within,
  describing: Describing,
): readonly SchemaView[] {
  const required = new Set(
    facets.flatMap((facet) => listOf(facet['required']) as unknown as readonly string[]),
  );
  const fields = new Map<string, Schema>();
  for (const facet of facets) {
    for (const [name, schema] of entriesOf(facet['properties'])) fields.set(name, schema);
  }
  return [...fields].map(([name, schema]) =>
    describing.describe(schema, { ...below(within, name), name, isRequired: required.has(name) }),
  );
}

function partsOf(
  schema: JsonObject,
  within: Within,
  describing: Describing,
): readonly SchemaGroup[] {
  const describe = (part: Schema, name: string, step: string | null = null) =>
    describing.describe(part, { ...below(within, step), name });
  const listed = (keyword: string, name: (key: string) => string) =>
    entriesOf(schema[keyword])
      .filter(([, part]) => isObject(part) || typeof part === 'boolean')
      .map(([key, part]) => describe(part, name(key), key));
  const single = (keyword: string, name: string) => {
    const part = schema[keyword];
    return isObject(part) ? [describe(part, name)] : [];
  };
  const { items } = schema;
  return [
    group(
      '',
      listed('patternProperties', (key) => `fields matching ${key}`),
    ),
    group('', single('additionalProperties', 'any other field')),
    group('Field names', single('propertyNames', 'each name')),
    group('', Array.isArray(items) ? [] : itemsOf(items, within, describing)),
    group(
      'Items in order',
      Array.isArray(items)
        ? (items as readonly Schema[]).map((part, index) =>
            describe(part, `item ${index}`, String(index)),
          )
        : [],
    ),
    group('Additional items', single('additionalItems', 'each additional item')),
    group('At least one item', single('contains', 'matching item')),
    ...variantsOf(schema, within, describing),
    group('Condition', [
      ...single('if', 'if it is'),
      ...single('then', 'then it must be'),
      ...single('else', 'otherwise it must be'),
    ]),
    group('Excluded', single('not', 'must not be')),
    group(
      'With a field',
      listed('dependencies', (key) => `with ${key}`),
    ),
  ];
}

/** Describes the items of a list; nothing for plain items. */
function itemsOf(
  items: Json | undefined,
  within: Within,
  describing: Describing,
): readonly SchemaView[] {
  if (!isObject(items)) return [];
  const view = describing.describe(items, { ...below(within, null), name: 'each item' });
  const isPlain =
    componentOf(items) !== null && view.groups.length === 0 && view.choices.length === 0;
  return isPlain ? [] : [view];
}

function variantsOf(
  schema: JsonObject,
  within: Within,
  describing: Describing,
): readonly SchemaGroup[] {
  const variants = unionOf(schema) ?? [];
  const views = variants.map((variant) => {
    const label = textOf(labelType(variant, describing.site));
    const title = isObject(variant) ? variant['title'] : undefined;
    const name = typeof title === 'string' ? title : label;
    return describing.describe(variant, { ...below(within, null), name });
  });
  const values = views.filter((_, index) => !isNull(variants[index]!));
  // "Block or null" shows the fields of Block directly.
  if (values.length === 1 && values[0]!.choices.length === 0) return values[0]!.groups;
  // The label already says "Hash32 or Address".
  const isPlain = variants.every((variant, index) => {
    const { groups, choices, facts } = views[index]!;
    const isNamed = isObject(variant) && componentOf(variant) !== null;
    return groups.length === 0 && choices.length === 0 && (isNamed || facts.length === 0);
  });
  const heading = 'oneOf' in schema ? 'One of' : 'Any of';
  return isPlain ? [] : [{ heading, isVariants: true, items: views }];
}

function isNull(schema: Schema): boolean {
  return isObject(schema) && (schema['type'] === 'null' || schema['const'] === null);
}

function below({ path, trail, depth }: Within, step: string | null) {
  return { path: path === null || step === null ? path : [...path, step], trail, depth };
}

function group(heading: string, items: readonly SchemaView[]): SchemaGroup {
  return { heading, isVariants: false, items };
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Schema])[] {
  return isObject(value) ? (Object.entries(value) as [string, Schema][]) : [];
}
