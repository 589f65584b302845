import type { Json } from '../../common/json/value.ts';
import type { Budget } from './budget.ts';
import { canonicalValue } from './canonical.ts';
import {
  EMPTY,
  firstInhabited,
  unknown,
  type Goal,
  type Inhabit,
  type Literal,
  type Outcome,
} from './goal.ts';
import { excludedBy, literalsOf, sizeOf, type OfKind } from './literals.ts';
import type { Pool } from './pool.ts';

/** Maximum length of a list that shows a difference. */
const MAX_ELEMENTS = 1000;

/**
 * Cost of building a list: one step per `ELEMENTS_PER_STEP` elements, and, if elements must be unique,
 * `STEPS_PER_DIFFERENCE` for each earlier element that an element must differ from.
 */
const ELEMENTS_PER_STEP = 100;
const STEPS_PER_DIFFERENCE = 4;

const TOO_MUCH_WORK = 'finding an array that only one schema allows takes too many steps';

export interface Below {
  readonly pool: Pool;
  /** Finds values for elements and members. */
  readonly inhabit: Inhabit;
  readonly budget: Budget;
}

interface ArrayFacts {
  readonly least: number;
  readonly most: number;
  readonly tuples: readonly OfKind<'elements'>[];
  readonly every: Goal;
  readonly some: readonly OfKind<'some-element'>[];
  readonly isUnique: boolean;
  readonly hasDuplicate: boolean;
  readonly excluded: ReadonlySet<string>;
  /** Elements from this index on have the same requirements. */
  readonly width: number;
}

/** Finds a list that satisfies literals about lists. */
export function findArray(literals: readonly Literal[], below: Below): Outcome {
  const facts = factsOf(literals);
  if (facts.least > facts.most || (facts.isUnique && facts.hasDuplicate)) return EMPTY;
  return firstInhabited(placements(facts, below), (placed) => fill(facts, placed, below));
}

function factsOf(literals: readonly Literal[]): ArrayFacts {
  const tuples = literalsOf(literals, 'elements');
  const unique = literalsOf(literals, 'unique');
  return {
    ...sizeOf(literals),
    tuples,
    every: literalsOf(literals, 'every-element').map(({ fulfils }) => fulfils),
    some: literalsOf(literals, 'some-element'),
    isUnique: unique.some(({ is }) => is),
    hasDuplicate: unique.some(({ is }) => !is),
    excluded: excludedBy(literals),
    width: Math.max(0, ...tuples.map(({ first }) => first.length)),
  };
}

/** Additional requirements on elements, by position. */
type Placed = ReadonlyMap<number, Goal>;

/** Yields the assignments of `some` requirements to positions. */
function* placements(facts: ArrayFacts, { budget }: Below): Generator<Placed> {
  const { some, width } = facts;

  function* place(index: number, placed: Placed): Generator<Placed> {
    const next = some[index];
    if (next === undefined) return yield placed;
    const used = [...placed.keys()].filter((position) => position >= width);
    const fresh = Math.max(width, next.from, ...used.map((position) => position + 1));
    const first = Array.from({ length: width }, (_, position) => position);
    for (const position of [...first, ...used, fresh]) {
      if (position < next.from || position >= next.to || !budget.spend(1)) continue;
      const goal = [...(placed.get(position) ?? []), next.fulfils];
      yield* place(index + 1, new Map(placed).set(position, goal));
    }
  }

  yield* place(0, new Map());
}

function fill(facts: ArrayFacts, placed: Placed, below: Below): Outcome {
  const { least, most, hasDuplicate, width } = facts;
  const needed = Math.max(least, ...[...placed.keys()].map((position) => position + 1));
  if (needed > most) return EMPTY;
  if (!hasDuplicate) return fillDistinct(facts, placed, { length: needed, below });
  const last = Math.min(Math.max(needed - 1, width + 1), most - 1);
  return firstInhabited(pairs(last, below.budget), ([a, b]) => {
    const both = [...goalAt(facts, placed, a), ...goalAt(facts, placed, b)];
    const merged = new Map(placed).set(a, both).set(b, both);
    return build(facts, merged, { length: Math.max(needed, b + 1), below });
  });
}

/** Yields one more pair after the budget is spent: no list is built for it, so the outcome is unknown. */
function* pairs(last: number, budget: Budget): Generator<readonly [number, number]> {
  for (let b = 1; b <= last; b += 1) {
    for (let a = 0; a < b; a += 1) {
      const { isSpent } = budget;
      yield [a, b];
      if (isSpent) return;
    }
  }
}

function goalAt({ tuples, every }: ArrayFacts, placed: Placed, position: number): Goal {
  return [
    ...tuples.map(({ first, rest }) => ({ node: first[position] ?? rest, is: true })),
    ...every,
    ...(placed.get(position) ?? []),
  ];
}

/** Tries lists of this length and, if some lists are explicitly excluded, up to three longer lengths. */
function fillDistinct(facts: ArrayFacts, placed: Placed, { length, below }: Length): Outcome {
  const longest = Math.min(length + (facts.excluded.size > 0 ? 3 : 0), facts.most);
  const lengths = Array.from({ length: longest - length + 1 }, (_, index) => length + index);
  return firstInhabited(lengths, (each) => build(facts, placed, { length: each, below }));
}

interface Length {
  readonly length: number;
  readonly below: Below;
}

function build(facts: ArrayFacts, placed: Placed, { length, below }: Length): Outcome {
  const elements: Json[] = [];
  const isUniform = facts.width === 0 && placed.size === 0;
  const { budget } = below;
  if (budget.isSpent) return unknown(TOO_MUCH_WORK);
  budget.spend(Math.ceil(Math.min(length, MAX_ELEMENTS) / ELEMENTS_PER_STEP));
  for (let position = 0; position < length; position += 1) {
    const steps = facts.isUnique ? STEPS_PER_DIFFERENCE * position : 0;
    if (steps > 0 && !budget.spend(steps)) return unknown(TOO_MUCH_WORK);
    const goal = goalAt(facts, placed, position);
    const used = facts.isUnique && elements.length > 0 ? { enum: elements.slice() } : null;
    const others = used === null ? [] : [{ node: below.pool.intern(used), is: false }];
    const found = below.inhabit([...goal, ...others]);
    if (found.is !== 'inhabited') {
      const isOnlyTaken = used !== null && below.inhabit(goal).is !== 'empty';
      // Other earlier elements might leave a value for this one.
      return isOnlyTaken && found.is === 'empty' && !isUniform
        ? unknown('no array of different elements was found')
        : found;
    }
    elements.push(found.value);
    if (position >= MAX_ELEMENTS)
      return unknown(`arrays that only one schema allows have over ${MAX_ELEMENTS} elements`);
  }
  if (!facts.excluded.has(canonicalValue(elements))) return { is: 'inhabited', value: elements };
  return length === 0 && facts.most === 0
    ? EMPTY
    : unknown('no array was found that only one schema allows');
}
