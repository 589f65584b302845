import { isObject, type Schema } from '../../common/json/value.ts';
import { findStrongComponents } from '../schema/strong-components.ts';
import { branchesOf } from '../schema/subschemas.ts';
import type { Model } from './model.ts';
import { componentOf } from './type-names.ts';

/**
 * Finds component schemas that are defined as themselves: cycles of references that pass through no
 * member or element, which TypeScript rejects as an alias (TS2456).
 *
 * @returns for each component schema, the schemas it forms such a cycle with
 */
export function findAliasCycles({ schemas }: Model): ReadonlyMap<string, ReadonlySet<string>> {
  const names = [...schemas.keys()];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const next = [...schemas.values()].map(({ schema }) =>
    directReferences(schema).flatMap((name) => numbers.get(name) ?? []),
  );
  const cycles = findStrongComponents(next).flatMap((group) => {
    const isCycle = group.length > 1 || next[group[0]!]!.includes(group[0]!);
    const cycle = new Set(isCycle ? group.map((number) => names[number]!) : []);
    return group.map((number) => [names[number]!, cycle] as const);
  });
  return new Map(cycles);
}

/** Returns the components that a schema refers to without a member or element in between. */
export function directReferences(schema: Schema): readonly string[] {
  const component = componentOf(schema);
  if (component !== null) return [component];
  return isObject(schema) ? branchesOf(schema).flatMap(directReferences) : [];
}
