import { isObject, type Schema } from '../../../common/json/value.ts';
import { findComponents } from '../../model/marks.ts';
import type { Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import { schemasIn, subschemasOf } from '../../schema/subschemas.ts';

/**
 * Returns the places in results that allow integers beyond 2^53 - 1, such as "Account.lamports":
 * component schema or method, then members.
 */
export function findWideIntegers({ methods, schemas }: Model): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  // A list instead of recursion: references may form a chain of all components.
  const open = methods.map(({ name, result }) => ({ schema: result?.schema ?? true, path: name }));
  open.reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, path } = next;
    if (!isObject(schema)) continue;
    const component = componentOf(schema);
    if (component !== null && seen.has(component)) continue;
    if (isWideInteger(schema)) found.add(path);
    const below = subschemasOf(schema, '').map(({ schema: each, holder, key }) => ({
      schema: each,
      path: holder === schema['properties'] ? `${path}.${key}` : path,
    }));
    for (const each of below.toReversed()) open.push(each);
    if (component === null) continue;
    seen.add(component);
    open.push({ schema: schemas.get(component)?.schema ?? true, path: component });
  }
  return [...found];
}

/** Creates a test for schemas that allow integers beyond 2^53 - 1, directly or by reference. */
export function createWideTest(model: Model): (schema: Schema) => boolean {
  const components = findComponents(model, isWideInteger);
  return (schema) =>
    [...schemasIn(schema)].some(
      (each) => isWideInteger(each) || components.has(componentOf(each) ?? ''),
    );
}

function isWideInteger(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  const { type, maximum, minimum, exclusiveMaximum } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (!types.includes('integer') || 'enum' in schema || 'const' in schema) return false;
  const upper = Number(maximum ?? exclusiveMaximum ?? Infinity);
  return upper > Number.MAX_SAFE_INTEGER || Number(minimum ?? 0) < Number.MIN_SAFE_INTEGER;
}
