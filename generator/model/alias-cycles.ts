import { isObject, type Schema } from '../../common/json/value.ts';
import { schemaList } from '../schema/subschemas.ts';
import { componentOf } from './type-names.ts';
import type { Model } from './model.ts';

/**
 * Finds component schemas that are defined as themselves: cycles of references that pass through no
 * member or element, which TypeScript rejects as an alias (TS2456).
 *
 * @returns for each component schema, the schemas it forms such a cycle with
 */
export function findAliasCycles(model: Model): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(
    [...model.schemas].map(([name, { schema }]) => [name, directReferences(schema)]),
  );
  const reached = new Map([...direct].map(([name]) => [name, reach(name, direct)]));
  return new Map(
    [...reached].map(([name, all]) => [
      name,
      new Set([...all].filter((other) => reached.get(other)?.has(name) === true)),
    ]),
  );
}

function reach(start: string, edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const ahead = [...(edges.get(start) ?? [])];
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    ahead.push(...(edges.get(name) ?? []));
  }
  return seen;
}

function directReferences(schema: Schema): readonly string[] {
  const component = componentOf(schema);
  if (component !== null) return [component];
  if (!isObject(schema)) return [];
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    schemaList(schema[keyword]).flatMap(directReferences),
  );
}
