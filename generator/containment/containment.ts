import type { Json } from '../../common/json/value.ts';
import { createBudgets } from './budget.ts';
import { createPool, type Node, type Pool, type Side } from './pool.ts';
import { createSolver } from './solver.ts';
import { createLanguages } from './strings.ts';
import type { Schema } from '../../common/json/value.ts';
import { createWitnessCheck } from './witness.ts';

/**
 * Whether every value that is valid under one schema is valid under another. `no` comes with a value
 * that is not; `undecided` with what stood in the way.
 */
export type Containment =
  | { readonly holds: 'yes' }
  | { readonly holds: 'no'; readonly witness: Json }
  | { readonly holds: 'undecided'; readonly reason: string };

export interface Containments {
  readonly pool: Pool;
  /** Whether all that `inner` allows, `outer` allows. */
  contains(outer: Node, inner: Node): Containment;
  /** An answer with its value put to Ajv: `no` only where Ajv says so, too. */
  confirm(answer: Containment, outer: Node, inner: Node): Containment;
}

const YES: Containment = { holds: 'yes' };

/** Answers about the schemas of two documents with these components, within a bounded amount of work. */
export function createContainments(
  components: Readonly<Record<Side, ReadonlyMap<string, Schema>>>,
): Containments {
  const pool = createPool(components);
  const solver = createSolver(pool, createLanguages());
  const budgets = createBudgets();
  const isWitness = createWitnessCheck(pool);
  const answers = new Map<string, Containment>();

  function decide(outer: Node, inner: Node): Containment {
    const goal = [
      { node: inner, is: true },
      { node: outer, is: false },
    ];
    const found = solver.inhabit(goal, budgets.next());
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
