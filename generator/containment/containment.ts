import { accepts } from './accepts.ts';
import { createBudgets, TOO_MUCH_WORK, WorkError, type Budget } from './budget.ts';
import { createPool, type Node, type Pool, type Side } from './pool.ts';
import { unknown } from './goal.ts';
import { createSolver } from './solver.ts';
import { createLanguages } from './strings.ts';
import type { Json, Schema } from '../../common/json/value.ts';
import { createWitnessCheck } from './witness.ts';

/**
 * Whether every value that is valid under one schema is valid under another. `no` has a counterexample,
 * `undecided` a reason.
 */
export type Containment =
  | { readonly holds: 'yes' }
  | { readonly holds: 'no'; readonly witness: Json }
  | { readonly holds: 'undecided'; readonly reason: string };

export interface Containments {
  readonly pool: Pool;
  /** Returns whether `outer` allows every value that `inner` allows. */
  contains(outer: Node, inner: Node): Containment;
  /** Checks the counterexample of an answer with Ajv; `undecided` if Ajv disagrees. */
  confirm(answer: Containment, outer: Node, inner: Node): Containment;
}

const YES: Containment = { holds: 'yes' };

/**
 * Compares schemas of two documents with these components, with a bounded amount of work. `isExact`: the
 * schemas may hold bigints for wide integers, which Ajv does not support.
 */
export function createContainments(
  components: Readonly<Record<Side, ReadonlyMap<string, Schema>>>,
  { isExact = false }: { readonly isExact?: boolean } = {},
): Containments {
  const pool = createPool(components);
  const inhabit = createSolver(pool, createLanguages());
  const nextBudget = createBudgets();
  const isWitness = isExact
    ? (value: Json, { inner, outer }: Readonly<Record<'inner' | 'outer', Node>>, budget: Budget) =>
        accepts(pool, inner, value, budget) && !accepts(pool, outer, value, budget)
    : createWitnessCheck(pool);
  const answers = new Map<string, Containment>();

  function decide(outer: Node, inner: Node, budget: Budget): Containment {
    const goal = [
      { node: inner, is: true },
      { node: outer, is: false },
    ];
    const found = endWith(() => inhabit(goal, budget)) ?? unknown(TOO_MUCH_WORK);
    if (found.is === 'empty') return YES;
    if (found.is === 'unknown') return { holds: 'undecided', reason: found.reason };
    return { holds: 'no', witness: found.value };
  }

  return {
    pool,
    confirm(answer, outer, inner) {
      if (answer.holds !== 'no') return answer;
      const budget = nextBudget();
      const isConfirmed = endWith(() => isWitness(answer.witness, { inner, outer }, budget));
      if (isConfirmed === true) return answer;
      if (isConfirmed === null) return { holds: 'undecided', reason: TOO_MUCH_WORK };
      return { holds: 'undecided', reason: 'Ajv does not confirm the counterexample' };
    },
    contains(outer, inner) {
      if (inner === outer) return YES;
      const key = `${inner.id} ${outer.id}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const budget = nextBudget();
      // Not cached: there may be very many such questions.
      if (budget.isSpent) return { holds: 'undecided', reason: TOO_MUCH_WORK };
      const answer = decide(outer, inner, budget);
      answers.set(key, answer);
      return answer;
    },
  };
}

/** Returns the result of `work`, or null if it looks at too many parts. */
function endWith<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorkError) return null;
    throw error;
  }
}
