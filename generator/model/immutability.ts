import { joinPointer } from '../../common/json/pointer.ts';
import { isObject } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import type { MethodModel } from './model.ts';

/** When the result of a call no longer changes (`x-immutable`). */
export interface Immutability {
  /** The place of the number of the block that has to be finalized; null if every result is final. */
  readonly block: BlockPlace | null;
}

/** A place in the positional params or in the result, as a JSON pointer. */
export interface BlockPlace {
  readonly in: 'params' | 'result';
  readonly pointer: string;
}

/** Returns null if the method does not declare final results, or names an unknown parameter. */
export function immutabilityOf({ extensions, params }: MethodModel): Immutability | null {
  const mark = extensions['x-immutable'];
  if (mark === true) return { block: null };
  if (!isObject(mark)) return null;
  const { param, result } = objectAt(mark, 'block');
  if (typeof result === 'string') return { block: { in: 'result', pointer: result } };
  const index = params.findIndex(({ name }) => name === param);
  return index < 0 ? null : { block: { in: 'params', pointer: joinPointer('', index) } };
}
