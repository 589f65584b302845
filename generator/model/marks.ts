import { joinPointer } from '../../common/json/pointer.ts';
import { isObject, type JsonObject, type Schema } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { branchesOf, schemasIn } from '../schema/subschemas.ts';
import type { Model } from './model.ts';
import { componentOf } from './type-names.ts';

/** A schema with one of the wanted extensions, and the pointer to the values it describes. */
export interface Mark {
  readonly schema: JsonObject;
  readonly pointer: string;
}

interface Step {
  readonly schema: Schema;
  readonly pointer: string;
  readonly within: readonly string[];
}

/** Maximum number of schemas visited below one parameter, the nearest first. */
const MAX_SCHEMAS = 2000;

/**
 * Creates a function that finds the marks at and below a schema, whose values are at `pointer`, through
 * references, unions, members and elements (`*`). It enters only components that lead to a mark, and
 * never a component inside itself.
 */
export function createMarkFinder(model: Model, keys: readonly string[]) {
  const isMark = (schema: Schema) => isObject(schema) && keys.some((key) => key in schema);
  const leading = findComponents(model, isMark);

  function next({ schema, pointer, within }: Step): readonly Step[] {
    if (!isObject(schema)) return [];
    const component = componentOf(schema);
    if (component !== null) {
      if (!leading.has(component) || within.includes(component)) return [];
      const target = model.schemas.get(component)!.schema;
      return [{ schema: target, pointer, within: [...within, component] }];
    }
    const properties = objectAt(schema, 'properties');
    const { items } = schema;
    return [
      ...(isObject(items) ? [{ schema: items, pointer: joinPointer(pointer, '*'), within }] : []),
      ...branchesOf(schema).map((branch) => ({ schema: branch, pointer, within })),
      ...Object.entries(properties).map(([key, member]) => ({
        schema: member as Schema,
        pointer: joinPointer(pointer, key),
        within,
      })),
    ];
  }

  return (schema: Schema, pointer: string): readonly Mark[] => {
    const steps: Step[] = [{ schema, pointer, within: [] }];
    // The loop also visits the steps that it adds.
    for (const step of steps) {
      if (steps.length >= MAX_SCHEMAS) break;
      // Not spread: there may be more than a call can have arguments.
      for (const each of next(step)) steps.push(each);
    }
    return steps.filter((step): step is Step & Mark => isMark(step.schema));
  };
}

/** Returns the components that contain a schema for which `isMark` is true, directly or by reference. */
export function findComponents(
  model: Model,
  isMark: (schema: Schema) => boolean,
): ReadonlySet<string> {
  const leading = new Set<string>();
  const users = new Map<string, string[]>();
  for (const { name, schema } of model.schemas.values()) {
    for (const each of schemasIn(schema)) {
      if (isMark(each)) leading.add(name);
      const used = componentOf(each);
      if (used !== null) users.set(used, [...(users.get(used) ?? []), name]);
    }
  }
  // The loop also visits the names that it adds.
  for (const name of leading) for (const user of users.get(name) ?? []) leading.add(user);
  return leading;
}
