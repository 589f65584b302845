import { isObject, isSchema, type JsonObject, type Schema } from '../../../../common/json/value.ts';
import { stringsAt } from '../../../model/member.ts';
import { componentOf } from '../../../model/type-names.ts';
import { objectAt } from '../../../schema/document-schemas.ts';
import { schemaList } from '../../../schema/subschemas.ts';
import type { Site } from '../site.ts';
import { resolveSchema } from './resolve.ts';
import { labelType, textOf, unionOf } from './type-label.ts';
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
  /** Whether it is within a component that has another page. */
  readonly isShared?: boolean;
}

interface Describing {
  readonly site: Site;
  /** Describes a part of the schema. `step` is its part of the deep link. */
  part(schema: Schema, name: string, step?: string | null, isRequired?: boolean): SchemaView;
}

/** Groups the parts of a schema: fields, items, variants, conditions. */
export function groupsOf(
  schema: JsonObject,
  { path, ...within }: Required<Pick<Place, 'path' | 'trail' | 'depth' | 'isShared'>>,
  { site, describe }: { site: Site; describe(schema: Schema, place: Place): SchemaView },
): readonly SchemaGroup[] {
  const describing = (isOfOther: boolean): Describing => ({
    site,
    part(schema, name, step = null, isRequired) {
      const below = path === null || step === null ? path : [...path, step];
      const isShared = within.isShared || isOfOther;
      return describe(schema, {
        ...within,
        isShared,
        name,
        path: below,
        isRequired: isRequired ?? null,
      });
    },
  });
  const empty = { seen: new Set(within.trail), facets: [], linked: [], left: site.maxUnfolded };
  const { facets, linked } = merge({ schema, isShared: false }, empty, site);
  return [
    group('', fieldsOf(facets, describing)),
    ...facets.flatMap(({ schema, isShared }) => partsOf(schema, describing(isShared))),
    group(
      'All of',
      linked.map((each) => describing(false).part(each, 'it is also')),
    ),
  ].filter(({ items }) => items.length > 0);
}

/** A schema, or a part of its `allOf`. */
interface Facet {
  readonly schema: JsonObject;
  /** Whether it is within a component that has another page. */
  readonly isShared: boolean;
}

/** What a schema and its `allOf` consist of. */
interface Merged {
  /** Components that are not merged again. */
  readonly seen: Set<string>;
  readonly facets: Facet[];
  /** Components that do not fit on the page and are linked. */
  readonly linked: Schema[];
  left: number;
}

/**
 * Lists the schema and everything in its `allOf`. Without a limit, each page of a chain of components would
 * show all components after it.
 */
function merge(facet: Facet, merged: Merged, site: Site): Merged {
  for (const part of schemaList(facet.schema['allOf'])) {
    const { component, schema: target } = resolveSchema(part, site.model);
    if (!isObject(target) || (component !== null && merged.seen.has(component))) continue;
    const size = component === null ? 0 : site.sizeOf(component);
    if (component !== null) merged.seen.add(component);
    if (size > merged.left) {
      merged.linked.push(part);
      continue;
    }
    merged.left -= size;
    merge({ schema: target, isShared: facet.isShared || component !== null }, merged, site);
  }
  merged.facets.push(facet);
  return merged;
}

function fieldsOf(
  facets: readonly Facet[],
  describing: (isOfOther: boolean) => Describing,
): readonly SchemaView[] {
  const required = new Set(facets.flatMap(({ schema }) => stringsAt(schema, 'required')));
  const fields = new Map(
    facets.flatMap(({ schema, isShared }) =>
      Object.entries(objectAt(schema, 'properties')).map(
        ([name, field]) => [name, { field: field as Schema, isShared }] as const,
      ),
    ),
  );
  return [...fields].map(([name, { field, isShared }]) =>
    describing(isShared).part(field, name, name, required.has(name)),
  );
}

// Parts are described in the order in which they are shown, because that assigns their ids.
function partsOf(schema: JsonObject, describing: Describing): readonly SchemaGroup[] {
  const { part } = describing;
  const listed = (keyword: string, nameOf: (key: string) => string) =>
    Object.entries(objectAt(schema, keyword)).flatMap(([key, each]) =>
      isSchema(each) ? [part(each, nameOf(key), key)] : [],
    );
  const single = (keyword: string, name: string) => {
    const each = schema[keyword];
    return isObject(each) ? [part(each, name)] : [];
  };
  const { items } = schema;
  const ordered = Array.isArray(items) ? (items as readonly Schema[]) : [];
  const byPattern = (key: string) => `fields matching ${key}`;
  const byField = (key: string) => `with ${key}`;
  return [
    group('', listed('patternProperties', byPattern)),
    group('', single('additionalProperties', 'any other field')),
    group('Field names', single('propertyNames', 'each name')),
    group(
      '',
      single('items', 'each item').filter((view) => !isPlainItem(items, view)),
    ),
    group(
      'Items in order',
      ordered.map((each, index) => part(each, `item ${index}`, String(index))),
    ),
    group('Additional items', single('additionalItems', 'each additional item')),
    group('At least one item', single('contains', 'matching item')),
    ...variantsOf(schema, describing),
    group('Condition', [
      ...single('if', 'if it is'),
      ...single('then', 'then it must be'),
      ...single('else', 'otherwise it must be'),
    ]),
    group('Excluded', single('not', 'must not be')),
    group('With a field', listed('dependencies', byField)),
  ];
}

/** Checks whether the type's label describes the items completely. */
function isPlainItem(items: unknown, { groups, choices }: SchemaView): boolean {
  const isNamed = componentOf(items as Schema) !== null;
  return isNamed && groups.length === 0 && choices.length === 0;
}

function variantsOf(schema: JsonObject, { site, part }: Describing): readonly SchemaGroup[] {
  const variants = unionOf(schema) ?? [];
  const views = variants.map((variant) => {
    const title = isObject(variant) ? variant['title'] : undefined;
    return part(variant, typeof title === 'string' ? title : textOf(labelType(variant, site)));
  });
  const values = views.filter((_, index) => !isNull(variants[index]!));
  // "Block or null" shows the fields of Block directly.
  if (values.length === 1 && values[0]!.choices.length === 0) return values[0]!.groups;
  // The label already says "Hash32 or Address".
  const isPlain = views.every(({ groups, choices, facts }, index) => {
    const isNamed = componentOf(variants[index]!) !== null;
    return groups.length === 0 && choices.length === 0 && (isNamed || facts.length === 0);
  });
  const heading = 'oneOf' in schema ? 'One of' : 'Any of';
  return isPlain ? [] : [{ heading, isVariants: true, items: views }];
}

function isNull(schema: Schema): boolean {
  return isObject(schema) && (schema['type'] === 'null' || schema['const'] === null);
}

function group(heading: string, items: readonly SchemaView[]): SchemaGroup {
  return { heading, isVariants: false, items };
}
