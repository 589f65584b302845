import type { Json } from '../../common/json/value.ts';
import { accepts, typeOf } from './accepts.ts';
import { findArray } from './arrays.ts';
import { TOO_MUCH_WORK, type Budget } from './budget.ts';
import { canonicalValue } from './canonical.ts';
import { expand } from './expand.ts';
import {
  EMPTY,
  firstInhabited,
  jsonTypes,
  unknown,
  type Goal,
  type JsonType,
  type Literal,
  type Option,
  type Outcome,
} from './goal.ts';
import { excludedBy, literalsOf } from './literals.ts';
import { findNumber } from './numbers.ts';
import { findObject } from './objects.ts';
import { isEntailed, isImpossible, memberFactsOf } from './member-facts.ts';
import type { Pool } from './pool.ts';
import { isContradicted } from './prune.ts';
import { findText, type Languages } from './strings.ts';

/** Maximum depth of nested values; deeper witnesses are not searched for. */
const MAX_DEPTH = 64;

/**
 * Maximum number of values in one witness, nested ones included: in a chain of schemas in which each has
 * two members of the next one, a witness doubles in size with each schema.
 */
const MAX_PARTS = 10_000;

/** Options that are compared with the known facts per step: a union has one for each pair of variants. */
const OPTIONS_PER_STEP = 100;

/** Maximum number of choices in a row: each takes stack space. */
const MAX_CHOICES = 500;

/**
 * Creates a search for a value that satisfies a goal. Type by type, the keywords of its schemas are
 * expanded into alternatives until only literals remain, for which a value of that type is then built.
 *
 * A goal that occurs again below itself need not be searched again, because a smallest value that
 * satisfies it does not contain another one. So the search also ends for recursive schemas, and its
 * answer stays correct.
 */
export function createSolver(pool: Pool, languages: Languages) {
  const settled = new Map<string, Outcome>();
  const underWay = new Map<string, number>();
  const countParts = createPartCounter();

  function inhabit(goal: Goal, budget: Budget): Outcome {
    const key = keyOf(goal);
    if (key === null) return EMPTY;
    const known = settled.get(key);
    if (known !== undefined) return known;
    const above = underWay.get(key);
    if (above !== undefined) return { is: 'empty', basis: above };
    const depth = underWay.size;
    if (depth > MAX_DEPTH)
      return unknown('values that only one schema allows are nested too deeply');
    underWay.set(key, depth);
    let found: Outcome;
    try {
      found = firstInhabited(jsonTypes, (type) => search({ goal, type, budget }, START, goal));
    } finally {
      underWay.delete(key);
    }
    const isProven = found.is === 'inhabited' || (found.is === 'empty' && found.basis >= depth);
    if (!isProven) return found;
    const outcome = found.is === 'empty' ? EMPTY : found;
    settled.set(key, outcome);
    return outcome;
  }

  /**
   * Follows one way to fulfill the goal; `ahead` holds the requirements that it has not examined
   * yet.
   */
  function search(task: Task, way: Way, ahead: Goal): Outcome {
    if (!task.budget.spend(1 + ahead.length)) return unknown(TOO_MUCH_WORK);
    task.budget.work(way.signs.size + way.literals.length + way.choices.length);
    const signs = new Map(way.signs);
    const literals = [...way.literals];
    let choices = [...way.choices];
    const queue = [...ahead];
    // Iterating an array includes elements that are added meanwhile.
    for (const signed of queue) {
      const sign = signs.get(signed.node.id);
      if (sign === signed.is) continue;
      if (sign !== undefined) return EMPTY;
      signs.set(signed.node.id, signed.is);
      const demand = expand(pool, signed, task);
      if (demand === null) return EMPTY;
      task.budget.work(1 + demand.literals.length + demand.choices.length + demand.goal.length);
      literals.push(...demand.literals);
      choices.push(...demand.choices);
      queue.push(...demand.goal);
    }
    const lists = literalsOf(literals, 'among').map(({ values }) => values);
    if (lists.length > 0) return findAmong(task, lists);
    const members = memberFactsOf(literals, signs, task.budget);
    if (isImpossible(pool, members)) return EMPTY;
    const options = choices.reduce((sum, { length }) => sum + length, 0);
    const steps = choices.length + Math.floor(options / OPTIONS_PER_STEP);
    if (!task.budget.spend(steps)) return unknown(TOO_MUCH_WORK);
    choices = choices
      .filter((options) => !options.some((option) => isEntailed(pool, option, members)))
      .map((options) => options.filter((option) => !isContradicted(option, members, pool)));
    if (choices.length === 0) return leaf(task, literals);
    if (way.made >= MAX_CHOICES) return unknown(TOO_MUCH_WORK);
    const next = choices.reduce((a, b) => (isBefore(b, a) ? b : a));
    const others = choices.filter((options) => options !== next);
    return firstInhabited(next, (option) => {
      const taken = [...literals, ...option.literals];
      const made = way.made + 1;
      return search(task, { signs, literals: taken, choices: others, made }, option.goal);
    });
  }

  function findAmong(task: Task, lists: readonly (readonly Json[])[]): Outcome {
    const shortest = lists.reduce((a, b) => (b.length < a.length ? b : a));
    for (const value of shortest) {
      if (task.budget.isSpent) return unknown(TOO_MUCH_WORK);
      if (typeOf(value) === task.type && fulfils(value, task)) return { is: 'inhabited', value };
    }
    return EMPTY;
  }

  function leaf(task: Task, literals: readonly Literal[]): Outcome {
    const outcome = findOfType(task, literals);
    if (outcome.is !== 'inhabited') return outcome;
    if (countParts(outcome.value) > MAX_PARTS) {
      return unknown(`values that only one schema allows have over ${MAX_PARTS} parts`);
    }
    if (fulfils(outcome.value, task)) return outcome;
    return unknown('a value that seemed to be allowed by only one schema was not');
  }

  function findOfType({ type, budget }: Task, literals: readonly Literal[]): Outcome {
    const below = { pool, inhabit: (goal: Goal) => inhabit(goal, budget), budget };
    switch (type) {
      case 'null':
        return firstOf([null], literals);
      case 'boolean':
        return firstOf([true, false], literals);
      case 'number':
        return findNumber(literals);
      case 'string':
        return findText(literals, { languages, budget });
      case 'array':
        return findArray(literals, below);
      case 'object':
        return findObject(literals, below);
    }
  }

  function fulfils(value: Json, { goal, budget }: Task): boolean {
    return goal.every(({ node, is }) => accepts(pool, node, value, budget) === is);
  }

  return inhabit;
}

/** Counts the values in a value, itself included. A part that witnesses share is walked once. */
function createPartCounter(): (value: Json) => number {
  const known = new WeakMap<object, number>();
  return function count(value) {
    if (typeof value !== 'object' || value === null) return 1;
    let parts = known.get(value);
    if (parts === undefined) {
      parts = 1;
      for (const each of Object.values(value as Record<string, Json>)) parts += count(each);
      known.set(value, parts);
    }
    return parts;
  };
}

interface Task {
  readonly goal: Goal;
  readonly type: JsonType;
  readonly budget: Budget;
}

interface Way {
  /** By node, whether the value must be valid or invalid under it. */
  readonly signs: ReadonlyMap<number, boolean>;
  readonly literals: readonly Literal[];
  readonly choices: readonly (readonly Option[])[];
  /** The number of choices that were made. */
  readonly made: number;
}

const START: Way = { signs: new Map(), literals: [], choices: [], made: 0 };

/**
 * Returns whether a choice is made before another one. Choices without an alternative come first, then
 * choices between variants, because the members that mark a variant exclude most others; within a rank,
 * shorter ones come first.
 */
function isBefore(options: readonly Option[], other: readonly Option[]): boolean {
  return (rankOf(options) - rankOf(other) || options.length - other.length) < 0;
}

function rankOf(options: readonly Option[]): number {
  if (options.length < 2) return 0;
  return options.every(({ goal }) => goal.some(({ is }) => is)) ? 1 : 2;
}

/** A text that is equal for equivalent goals; null for a goal that contradicts itself. */
function keyOf(goal: Goal): string | null {
  const signs = new Map<number, boolean>();
  for (const { node, is } of goal) {
    if (signs.get(node.id) === !is) return null;
    signs.set(node.id, is);
  }
  return [...signs]
    .toSorted(([a], [b]) => a - b)
    .map(([id, is]) => `${is ? '' : '-'}${id}`)
    .join();
}

/** The first of these values that no literal excludes. */
function firstOf(values: readonly Json[], literals: readonly Literal[]): Outcome {
  const left = excludedBy(literals);
  const value = values.find((each) => !left.has(canonicalValue(each)));
  return value === undefined ? EMPTY : { is: 'inhabited', value };
}
