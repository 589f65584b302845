import { joinPointer } from '../../common/json/pointer.ts';
import { isObject, type JsonObject, type Schema } from '../../common/json/value.ts';
import { walkSchemas } from '../schema/subschemas.ts';
import type { Model } from './model.ts';
import { componentOf } from './type-names.ts';

/** A schema with an extension that is looked for, and the pointer to the values it is about. */
export interface Mark {
  readonly schema: JsonObject;
  readonly pointer: string;
}

export interface MarkFinder {
  /** The marks at and below `schema`, whose values are at `pointer`. */
  find(schema: Schema, pointer: string): readonly Mark[];
}

/** How many schemas below one parameter are looked at, the nearest first. */
const MAX_SCHEMAS = 2000;

/**
 * Finds schemas that have one of `keys`, through references, unions and members. Only components
 * that lead to one are entered, and none within itself; as the ways through a large document are
 * beyond counting, what is far from the parameter is not looked at.
 */
export function createMarkFinder(model: Model, keys: readonly string[]): MarkFinder {
  const isMark = (schema: Schema) => isObject(schema) && keys.some((key) => key in schema);
  const leading = findLeading(model, isMark);

  /** What a schema leads on to at the same or a lower place; nothing for a dead end. */
  function next({ schema, pointer, within }: Step): readonly Step[] {
    if (!isObject(schema)) return [];
    const component = componentOf(schema);
    if (component !== null) {
      if (!leading.has(component) || within.includes(component)) return [];
      const target = model.schemas.get(component)!.schema;
      return [{ schema: target, pointer, within: [...within, component] }];
    }
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
      const list = schema[keyword];
      return Array.isArray(list) ? (list as readonly Schema[]) : [];
    });
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    return [
      ...branches.map((branch) => ({ schema: branch, pointer, within })),
      ...Object.entries(properties).map(([key, member]) => ({
        schema: member as Schema,
        pointer: joinPointer(pointer, key),
        within,
      })),
    ];
  }

  return {
    find(schema, pointer) {
      const steps: Step[] = [{ schema, pointer, within: [] }];
      // An array hands out what is added while it is walked.
      for (const step of steps) if (steps.length < MAX_SCHEMAS) steps.push(...next(step));
      return steps.filter((step): step is Step & Mark => isMark(step.schema));
    },
  };
}

interface Step {
  readonly schema: Schema;
  readonly pointer: string;
  readonly within: readonly string[];
}

/** The components that have a mark, or refer to one that leads to one. */
export function findLeading(
  model: Model,
  isMark: (schema: Schema) => boolean,
): ReadonlySet<string> {
  const leading = new Set<string>();
  const users = new Map<string, string[]>();
  for (const { name, schema } of model.schemas.values()) {
    for (const place of walkSchemas([{ schema, holder: [schema], key: 0, pointer: '' }])) {
      if (isMark(place.schema)) leading.add(name);
      const used = componentOf(place.schema);
      if (used !== null) users.set(used, [...(users.get(used) ?? []), name]);
    }
  }
  // A set hands out what is added while it is walked.
  for (const name of leading) for (const user of users.get(name) ?? []) leading.add(user);
  return leading;
}
