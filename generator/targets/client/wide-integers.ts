import { isObject, type JsonObject, type Schema } from '../../json/value.ts';
import { componentOf } from '../../model/type-names.ts';
import type { MethodModel, Model } from '../../model/model.ts';
import { subschemasOf } from '../../schema/subschemas.ts';

/**
 * The places in results where the document allows an integer that a JavaScript number does not hold
 * exactly (beyond 2^53 - 1), as in "Account.lamports": component schema or method, then members.
 */
export function findWideIntegers(model: Model): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(model.methods.flatMap((method) => wideIntegersOf(model, method, seen)))];
}

/** The same of one method's result; component schemas in `seen` are left out, and added to it. */
export function wideIntegersOf(
  model: Model,
  { name, result }: MethodModel,
  seen: Set<string> = new Set(),
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

function isWideInteger(schema: JsonObject): boolean {
  const { type, maximum, minimum, exclusiveMaximum } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (!types.includes('integer') || 'enum' in schema || 'const' in schema) return false;
  const most = Number(maximum ?? exclusiveMaximum ?? Infinity);
  return most > Number.MAX_SAFE_INTEGER || Number(minimum ?? 0) < Number.MIN_SAFE_INTEGER;
}
