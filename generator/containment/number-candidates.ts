import { aligned, decimalOf, isFiniteNumber, numberOf, type Decimal } from './decimal.ts';

export interface Range {
  readonly from: number;
  readonly isFromExcluded: boolean;
  readonly to: number;
  readonly isToExcluded: boolean;
}

/** Numbers of a range to try, the simplest first. */
interface Candidates {
  readonly values: readonly number[];
  /** True if the range contains no other numbers. */
  readonly isAll: boolean;
}

export function isWithin(value: number, range: Range): boolean {
  return (
    isFiniteNumber(value) &&
    (range.isFromExcluded ? value > range.from : value >= range.from) &&
    (range.isToExcluded ? value < range.to : value <= range.to)
  );
}

/** No finite number has more digits before the point. */
const MAX_DIGITS = 309;

interface Search {
  readonly count: number;
  /** Whether integers that no double represents count as well, as bigints. */
  readonly isExact: boolean;
}

/** Multiples of `step` in a range: up to `count` on each side of the one that is nearest to 0. */
export function multiplesIn(step: Decimal, range: Range, { count, isExact }: Search): Candidates {
  const first = factorAt(range.from, step, true);
  const last = factorAt(range.to, step, false);
  if (first !== null && last !== null && first > last) return { values: [], isAll: true };
  const start = nearestToZero(first, last);
  const factors = [start];
  for (let offset = 1n; offset <= count; offset += 1n) factors.push(start + offset, start - offset);
  // Beyond 2 ** 53 doubles are far apart.
  for (let digits = 1n; digits <= MAX_DIGITS; digits += 1n)
    factors.push(start + 10n ** digits, start - 10n ** digits);
  const values = factors
    .filter((each) => (first === null || each >= first) && (last === null || each <= last))
    .map((each) => ({ units: each * step.units, scale: step.scale }))
    .flatMap((each) => (isHeld(each) ? [numberOf(each)] : isExact ? wideInteger(each) : []));
  return { values, isAll: first !== null && last !== null && last - first <= count };
}

/**
 * The factor of the first multiple at or above a limit, or of the last one at or below it; null without a
 * limit.
 */
function factorAt(limit: number, step: Decimal, isUpward: boolean): bigint | null {
  if (!isFiniteNumber(limit)) return null;
  const [units, of] = aligned(decimalOf(limit), step);
  const quotient = units / of;
  const remainder = units % of;
  if (isUpward) return remainder > 0n ? quotient + 1n : quotient;
  return remainder < 0n ? quotient - 1n : quotient;
}

function nearestToZero(first: bigint | null, last: bigint | null): bigint {
  if (first !== null && first > 0n) return first;
  return last !== null && last < 0n ? last : 0n;
}

/** Returns whether a double represents this decimal exactly. */
function isHeld(decimal: Decimal): boolean {
  const value = numberOf(decimal);
  if (!Number.isFinite(value)) return false;
  const [a, b] = aligned(decimalOf(value), decimal);
  return a === b;
}

function wideInteger({ units, scale }: Decimal): readonly number[] {
  const one = 10n ** BigInt(scale);
  return units % one === 0n ? [(units / one) as unknown as number] : [];
}

const ONE: Decimal = { units: 1n, scale: 0 };

const WIDE = 2 ** 53;

/** Numbers of a range, with and without fractions. */
export function numbersIn(range: Range, search: Search): Candidates {
  const { count, isExact } = search;
  const [from, to] = [Number(range.from), Number(range.to)];
  if (range.from > range.to) return { values: [], isAll: true };
  const integers = multiplesIn(ONE, range, search);
  const whole = integers.values;
  // Beyond 2 ** 53, all doubles are integers.
  if (isExact && integers.isAll && (from >= WIDE || to <= -WIDE)) return integers;
  const { low, high } = windowOf({ from, to });
  // Fractions that are unlikely to be multiples of a number in a schema.
  const fractions = Array.from(
    { length: count },
    (_, index) => low + (high - low) * ((index + Math.SQRT1_2) / (count + 1)),
  );
  const neighbors = [low];
  while (neighbors.length <= count && neighbors.at(-1)! < to)
    neighbors.push(nextUp(neighbors.at(-1)!));
  return {
    values: [
      ...whole,
      ...whole.map((each) => Number(each) + 0.5),
      high,
      ...fractions,
      ...neighbors,
    ],
    isAll: low === range.from && neighbors.at(-1) === range.to && (!isExact || integers.isAll),
  };
}

/** The part of a range near 0, or near the end that is nearest to 0. */
function windowOf({ from, to }: Pick<Range, 'from' | 'to'>): {
  readonly low: number;
  readonly high: number;
} {
  const near = Math.min(Math.max(0, from), to);
  const width = Math.max(1, Math.abs(near));
  return to > near
    ? { low: near, high: Math.min(to, near + width, Number.MAX_VALUE) }
    : { low: Math.max(from, near - width, -Number.MAX_VALUE), high: near };
}

/** The next larger double. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}
