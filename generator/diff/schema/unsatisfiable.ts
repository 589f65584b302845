import type { Containments } from '../../containment/containment.ts';
import type { Side } from '../../containment/pool.ts';
import { isObject, type Schema } from '../../../common/json/value.ts';
import { nodeAt } from './place.ts';
import type { Pair, SchemaFinding, Scope } from './question.ts';

/** Which of two schemas allow no value at all. */
export type Vacancy = Readonly<Record<Side, boolean>>;

export const NOT_VACANT: Vacancy = { old: false, new: false };

/**
 * Returns which of two schemas contradict themselves. Any schema contains them, so a comparison of
 * values would call every change of them harmless. `false` and its equivalents are intentional.
 */
export function vacancyOf({ pool, contains }: Containments, pair: Pair): Vacancy {
  if ([pair.old, pair.new].some(({ schema }) => isFalse(schema))) return NOT_VACANT;
  const isVacant = (side: Side) => contains(pool.nothing, nodeAt(pool, pair[side])).holds === 'yes';
  return { old: isVacant('old'), new: isVacant('new') };
}

function isFalse(schema: Schema): boolean {
  if (!isObject(schema)) return !schema;
  const { not } = schema;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

/**
 * Returns whether a schema that allowed values became `false` or an equivalent: no response with such
 * a member or result follows the document.
 */
export function isEmptied({ pool, contains }: Containments, pair: Pair): boolean {
  return isFalse(pair.new.schema) && contains(pool.nothing, nodeAt(pool, pair.old)).holds !== 'yes';
}

/** Returns the finding for a pair in which one side, or each, allows no value. */
export function findingOfVacancy(
  vacant: Vacancy,
  pair: Pair,
  {
    containments: { pool, contains },
    direction,
    isNeeded,
  }: Pick<Scope, 'containments' | 'direction'> & { readonly isNeeded: boolean },
): SchemaFinding {
  const where = { old: pair.old.pointer, new: pair.new.pointer };
  if (!vacant.new) {
    const what = 'allows values; before, its keywords contradicted each other';
    return { kind: `${direction}-schema-became-satisfiable`, what, ...where };
  }
  const isLost = !vacant.old && isNeeded;
  const kind = `${direction}-schema-${isLost ? 'became-unsatisfiable' : 'unsatisfiable'}` as const;
  const reason = isFalse(pair.new.schema) ? '' : '; its keywords contradict each other';
  const what = `${vacant.old ? 'still does not allow' : 'no longer allows'} any value${reason}`;
  const former = contains(pool.nothing, nodeAt(pool, pair.old));
  const witness = former.holds === 'no' && direction === 'request' ? former.witness : undefined;
  return { kind, what, witness, ...where };
}
