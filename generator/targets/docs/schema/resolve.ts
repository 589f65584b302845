import { keepAllDigits } from '../../../../common/json/exact.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../common/json/value.ts';
import type { Model } from '../../../model/model.ts';
import { componentOf } from '../../../model/type-names.ts';

/** Keywords that say something about a schema without restricting it. */
const ANNOTATIONS = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** A schema with what stands around a reference to it. */
export interface Resolved {
  /** The component it is, for a plain or an annotated reference; null for a schema in place. */
  readonly component: string | null;
  readonly schema: Schema;
  /** What the place itself says (description, default, `x-expected`); it wins over the schema's own. */
  readonly annotations: JsonObject;
}

/**
 * Looks through a reference, and through the `allOf` of one member that draft-07 needs to describe a
 * reference where it stands.
 */
export function resolveSchema(schema: Schema, model: Model): Resolved {
  const reference = referenceIn(schema);
  const target = reference === null ? undefined : model.schemas.get(reference.component);
  if (reference === null || target === undefined)
    return { component: null, schema, annotations: {} };
  return { component: target.name, schema: target.schema, annotations: reference.annotations };
}

function referenceIn(schema: Schema): { component: string; annotations: JsonObject } | null {
  if (!isObject(schema)) return null;
  const { $ref, allOf, ...rest } = schema;
  const only = Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as Json) : undefined;
  const target = $ref === undefined ? only : { $ref };
  if (!isObject(target) || ($ref === undefined && !Object.keys(rest).every(isAnnotation)))
    return null;
  const component = componentOf(target);
  return component === null ? null : { component, annotations: keepAllDigits(schema, rest) };
}

function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}
