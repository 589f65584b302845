import { keepAllDigits } from '../../../../common/json/exact.ts';
import { isObject, type JsonObject, type Schema } from '../../../../common/json/value.ts';
import type { Model } from '../../../model/model.ts';
import { wordSet } from '../../../model/reserved.ts';
import { componentOf } from '../../../model/type-names.ts';
import { schemaList } from '../../../schema/subschemas.ts';

/** Keywords that do not constrain values. */
const ANNOTATIONS = wordSet(
  '$comment default deprecated description examples readOnly title writeOnly',
);

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
  const inline = { component: null, schema, annotations: {} };
  if (!isObject(schema)) return inline;
  const { $ref, allOf, ...rest } = schema;
  const only = schemaList(allOf).length === 1 && Object.keys(rest).every(isAnnotation);
  const reference = $ref !== undefined ? { $ref } : only ? schemaList(allOf)[0]! : true;
  const target = model.schemas.get(componentOf(reference) ?? '');
  if (target === undefined) return inline;
  const annotations = keepAllDigits(schema, rest);
  return { component: target.name, schema: target.schema, annotations };
}

function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}
