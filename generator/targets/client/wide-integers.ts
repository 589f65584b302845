import { isObject, type Schema } from '../../../common/json/value.ts';
import { componentOf } from '../../model/type-names.ts';
import { findLeading } from '../../model/marks.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { subschemasOf, walkSchemas } from '../../schema/subschemas.ts';

/**
 * The places in results where the document allows an integer that a JavaScript number does not hold
 * exactly (beyond 2^53 - 1), as in "Account.lamports": component schema or method, then members.
 */
export function findWideIntegers(model: Model): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(model.methods.flatMap((method) => wideIntegersOf(model, method, seen)))];
}

/** Tells whether a schema, through whatever it refers to, allows such an integer. */
export function createWideTest(model: Model): (schema: Schema) => boolean {
  // Told for every method: what the components lead to is found once.
  const leading = findLeading(model, isWideInteger);
  return (schema) => {
    for (const place of walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }])) {
      if (isWideInteger(place.schema) || leading.has(componentOf(place.schema) ?? '')) return true;
    }
    return false;
  };
}

function wideIntegersOf(
  model: Model,
  { name, result }: MethodModel,
  seen: Set<string>,
): readonly string[] {
  const found: string[] = [];
  const visit = (schema: Schema, path: string): void => {
    if (!isObject(schema)) return;
    const component = componentOf(schema);
    if (component !== null) {
      if (seen.has(component)) return;
      seen.add(component);
      visit(model.schemas.get(component)?.schema ?? true, component);
    }
    if (isWideInteger(schema)) found.push(path);
    for (const { schema: below, holder, key } of subschemasOf(schema, '')) {
      visit(below, holder === schema['properties'] ? `${path}.${key}` : path);
    }
  };
  visit(result?.schema ?? true, name);
  return found;
}

function isWideInteger(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  const { type, maximum, minimum, exclusiveMaximum } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (!types.includes('integer') || 'enum' in schema || 'const' in schema) return false;
  const most = Number(maximum ?? exclusiveMaximum ?? Infinity);
  return most > Number.MAX_SAFE_INTEGER || Number(minimum ?? 0) < Number.MIN_SAFE_INTEGER;
}
