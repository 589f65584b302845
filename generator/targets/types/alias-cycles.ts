import { isObject, type Schema } from '../../../common/json/value.ts';
import { componentOf } from '../../model/type-names.ts';
import type { Model } from '../../model/model.ts';

/**
 * Component schemas that are defined as themselves: references that come back to their start
 * without passing through a member or an element, which TypeScript refuses as an alias (TS2456) and
 * which adds nothing to what the schema allows.
 *
 * @returns for each component schema, those it is in such a circle with
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
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const branches = schema[keyword];
    return Array.isArray(branches) ? (branches as Schema[]).flatMap(directReferences) : [];
  });
}
