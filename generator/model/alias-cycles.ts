import { isObject, type Schema } from '../../common/json/value.ts';
import { branchesOf } from '../schema/subschemas.ts';
import type { Model } from './model.ts';
import { componentOf } from './type-names.ts';

/**
 * Finds component schemas that are defined as themselves: cycles of references that pass through no
 * member or element, which TypeScript rejects as an alias (TS2456).
 *
 * @returns for each component schema, the schemas it forms such a cycle with
 */
export function findAliasCycles(model: Model): ReadonlyMap<string, ReadonlySet<string>> {
  const names = [...model.schemas.keys()];
  const reached = new Map(names.map((name) => [name, reachFrom(name, model)]));
  const isMutual = (name: string, other: string) => reached.get(other)?.has(name) === true;
  return new Map(
    [...reached].map(([name, all]) => [
      name,
      new Set([...all].filter((other) => isMutual(name, other))),
    ]),
  );
}

function reachFrom(start: string, { schemas }: Model): ReadonlySet<string> {
  const next = (name: string) => directReferences(schemas.get(name)?.schema ?? true);
  const reached = new Set(next(start));
  // The loop also visits the names that it adds.
  for (const name of reached) for (const other of next(name)) reached.add(other);
  return reached;
}

/** Returns the components that a schema refers to without a member or element between. */
export function directReferences(schema: Schema): readonly string[] {
  const component = componentOf(schema);
  if (component !== null) return [component];
  return isObject(schema) ? branchesOf(schema).flatMap(directReferences) : [];
}
