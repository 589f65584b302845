import type { JsonObject } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { createMarkFinder } from './marks.ts';
import { stringsAt } from './member.ts';
import type { MethodModel, Model } from './model.ts';

/** The nulls in the params of a method that mean "absent" (`x-normalize` to `without-nulls`). */
export interface AbsentNulls {
  /** Optional members of objects, by pointer into the params; outer objects come first. */
  readonly members: readonly { readonly pointer: string; readonly members: readonly string[] }[];
  /** Indexes of optional params that may be null at the end. */
  readonly params: readonly number[];
}

/** Creates a function that finds the nulls of a method that mean "absent". */
export function createNullFinder(model: Model): (method: MethodModel) => AbsentNulls {
  const findMarks = createMarkFinder(model, ['x-normalize']);
  return ({ params }) => {
    const marks = params.flatMap(({ schema }, index) => findMarks(schema, `/${index}`));
    const members = marks
      .filter(({ schema }) => isMarked(schema))
      .map(({ schema, pointer }) => ({ pointer, members: optionalMembers(schema) }));
    const pointers = members.map(({ pointer }) => pointer);
    return {
      members: members.filter(({ pointer }, index) => pointers.indexOf(pointer) === index),
      params: params.flatMap(({ required, extensions }, index) =>
        !required && isMarked(extensions) ? [index] : [],
      ),
    };
  };
}

function isMarked(holder: JsonObject): boolean {
  return objectAt(holder, 'x-normalize')['to'] === 'without-nulls';
}

function optionalMembers(schema: JsonObject): readonly string[] {
  const required = stringsAt(schema, 'required');
  return Object.keys(objectAt(schema, 'properties')).filter((name) => !required.includes(name));
}
