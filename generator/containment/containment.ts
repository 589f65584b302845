import { accepts } from './accepts.ts';
import { createBudgets } from './budget.ts';
import { createPool, type Node, type Pool, type Side } from './pool.ts';
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
 * schemas may hold bigints for wide integers, which Ajv does not know.
 */
export function createContainments(
  components: Readonly<Record<Side, ReadonlyMap<string, Schema>>>,
  { isExact = false }: { readonly isExact?: boolean } = {},
): Containments {
  const pool = createPool(components);
  const inhabit = createSolver(pool, createLanguages());
  const nextBudget = createBudgets();
  const isWitness = isExact
    ? (value: Json, { inner, outer }: Readonly<Record<'inner' | 'outer', Node>>) =>
        accepts(pool, inner, value) && !accepts(pool, outer, value)
    : createWitnessCheck(pool);
  const answers = new Map<string, Containment>();

  function decide(outer: Node, inner: Node): Containment {
    const goal = [
      { node: inner, is: true },
      { node: outer, is: false },
    ];
    const found = inhabit(goal, nextBudget());
    if (found.is === 'empty') return YES;
    if (found.is === 'unknown') return { holds: 'undecided', reason: found.reason };
    return { holds: 'no', witness: found.value };
  }

  return {
    pool,
    confirm(answer, outer, inner) {
      if (answer.holds !== 'no' || isWitness(answer.witness, { inner, outer })) return answer;
      return { holds: 'undecided', reason: 'Ajv does not confirm the value that was found' };
    },
    contains(outer, inner) {
      if (inner === outer) return YES;
      const key = `${inner.id} ${outer.id}`;
      const answer = answers.get(key) ?? decide(outer, inner);
      answers.set(key, answer);
      return answer;
    },
  };
}
