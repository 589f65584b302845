import type { Containments } from '../../containment/containment.ts';
import type { Side } from '../../containment/pool.ts';
import { isObject, type Schema } from '../../../common/json/value.ts';
import type { Direction, SchemaFinding } from './finding.ts';
import { nodeAt } from './place.ts';
import type { Pair } from './question.ts';

/** Under which of two schemas no value at all is valid. */
export type Vacancy = Readonly<Record<Side, boolean>>;

const NONE: Vacancy = { old: false, new: false };

/**
 * Returns which of two schemas contradict themselves. Whatever contains nothing contains them, so
 * that comparing their values would call any change of them harmless. `false`, and the opposite of
 * everything, are meant to allow nothing.
 */
export function vacancyOf({ pool, contains }: Containments, pair: Pair): Vacancy {
  if ([pair.old, pair.new].some(({ schema }) => isMeantToBeNothing(schema))) return NONE;
  const isVacant = (side: Side) => contains(pool.nothing, nodeAt(pool, pair[side])).holds === 'yes';
  return { old: isVacant('old'), new: isVacant('new') };
}

function isMeantToBeNothing(schema: Schema): boolean {
  if (!isObject(schema)) return !schema;
  const { not } = schema;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

/**
 * Returns whether a schema that allowed values became `false`, or the opposite of everything. Such a
 * member is never returned; such a result leaves no response that follows the document.
 */
export function isEmptied({ pool, contains }: Containments, pair: Pair): boolean {
  return (
    isMeantToBeNothing(pair.new.schema) &&
    contains(pool.nothing, nodeAt(pool, pair.old)).holds !== 'yes'
  );
}

export interface VacancyContext {
  readonly containments: Containments;
  readonly direction: Direction;
  /** False where the schemas around the pair allow values without it. */
  readonly isNeeded: boolean;
}

/** What is reported of a pair of which one side, or each, contradicts itself. */
export function findingOfVacancy(
  vacant: Vacancy,
  pair: Pair,
  { containments: { pool, contains }, direction, isNeeded }: VacancyContext,
): SchemaFinding {
  const where = { old: pair.old.pointer, new: pair.new.pointer };
  if (!vacant.new) {
    const what = 'allows values; before, its keywords contradicted one another';
    return { kind: `${direction}-schema-became-satisfiable`, what, ...where };
  }
  const isLost = !vacant.old && isNeeded;
  const kind = `${direction}-schema-${isLost ? 'became-' : ''}unsatisfiable`;
  const reason = isMeantToBeNothing(pair.new.schema) ? '' : '; its keywords contradict one another';
  const what = `allows no value at all${vacant.old ? ', as before' : ' any more'}${reason}`;
  const former = contains(pool.nothing, nodeAt(pool, pair.old));
  const witness = former.holds === 'no' && direction === 'request' ? former.witness : undefined;
  return { kind, what, witness, ...where };
}
