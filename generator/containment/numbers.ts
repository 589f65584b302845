import { canonicalValue } from './canonical.ts';
import {
  decimalOf,
  isMultiple,
  isMultipleOf,
  isWide,
  leastCommonMultiple,
  type Decimal,
} from './decimal.ts';
import { EMPTY, unknown, type Literal, type Outcome } from './goal.ts';
import { excludedBy, literalsOf } from './literals.ts';
import { isWithin, multiplesIn, numbersIn, type Range } from './number-candidates.ts';

/**
 * How many numbers to try in a row: per explicitly excluded number, and the minimum. Of 64 consecutive
 * multiples, one is a multiple of none of a dozen other numbers.
 */
const TRIES_PER_EXCLUDED = 64;
const MIN_TRIES = 256;

/** Doubles from here on are integers. */
const WHOLE_FROM = 2 ** 52;

/** Finds a number that satisfies literals: a double, or a wide integer if the literals hold some. */
export function findNumber(literals: readonly Literal[]): Outcome {
  const [steps, refused] = [factorsOf(literals, true), factorsOf(literals, false)];
  const range = rangeOf(literals, refused);
  const step = steps.map(decimalOf).reduce<Decimal | null>(common, null);
  const isRefused = (each: number) => step !== null && isMultipleOf(step, decimalOf(each));
  if (refused.some(isRefused)) return EMPTY;
  const excluded = excludedBy(literals);
  const isAllowed = (value: number) =>
    isWithin(value, range) &&
    !excluded.has(canonicalValue(value)) &&
    steps.every((each) => isMultiple(value, each)) &&
    !refused.some((each) => isMultiple(value, each));
  const tries = Math.max(MIN_TRIES, TRIES_PER_EXCLUDED * (excluded.size + 1));
  const search = { count: tries, isExact: literals.some(holdsWide) };
  const candidates = step === null ? numbersIn(range, search) : multiplesIn(step, range, search);
  const allowed = candidates.values.filter(isAllowed);
  // Prefers a number that validators with inexact division accept too.
  const value =
    allowed.find((each) => steps.every((of) => Number.isInteger(Number(each) / Number(of)))) ??
    allowed[0];
  if (value !== undefined) return { is: 'inhabited', value };
  return candidates.isAll ? EMPTY : unknown('no number was found that only one schema allows');
}

function holdsWide(literal: Literal): boolean {
  if (literal.says === 'multiple') return isWide(literal.of);
  if (literal.says === 'not-among') return literal.values.some(isWide);
  return (literal.says === 'at-least' || literal.says === 'at-most') && isWide(literal.limit);
}

function common(a: Decimal | null, b: Decimal): Decimal {
  return a === null ? b : leastCommonMultiple(a, b);
}

/** Returns the numbers that a number has to be, or must not be, a multiple of. */
function factorsOf(literals: readonly Literal[], is: boolean): readonly number[] {
  const integers = literalsOf(literals, 'integer').map((literal) => ({ ...literal, of: 1 }));
  return [...integers, ...literalsOf(literals, 'multiple')]
    .filter((literal) => literal.is === is)
    .map(({ of }) => of);
}

function rangeOf(literals: readonly Literal[], refused: readonly number[]): Range {
  const hasFraction = refused.some((each) => isMultiple(1, each));
  const end = { limit: hasFraction ? WHOLE_FROM : Infinity, exclusive: true };
  const lower = [...literalsOf(literals, 'at-least'), { ...end, limit: -end.limit }];
  const upper = [...literalsOf(literals, 'at-most'), end];
  const from = lower.map(({ limit }) => limit).reduce((a, b) => (b > a ? b : a));
  const to = upper.map(({ limit }) => limit).reduce((a, b) => (b < a ? b : a));
  return {
    from,
    isFromExcluded: lower.some(({ limit, exclusive }) => exclusive && limit >= from),
    to,
    isToExcluded: upper.some(({ limit, exclusive }) => exclusive && limit <= to),
  };
}
