import { keepAllDigits } from '../../../../common/json/exact.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../common/json/value.ts';
import type { Model } from '../../../model/model.ts';
import { componentOf } from '../../../model/type-names.ts';

/** Keywords that do not constrain values. */
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

/** A schema and the annotations next to its reference. */
interface Resolved {
  /** Name of the component; null for an inline schema. */
  readonly component: string | null;
  readonly schema: Schema;
  /** Annotations of the place (description, default, `x-expected`), which override the schema's own. */
  readonly annotations: JsonObject;
}

/**
 * Resolves a reference, or an `allOf` with one reference, which draft-07 requires to annotate a
 * reference.
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
