import { canonicalValue } from './canonical.ts';
import { excludedBy } from './excluded.ts';
import { EMPTY, unknown, type Literal, type Outcome } from './goal.ts';

/** Numbers tried one after the other, beyond those that are left out one by one. */
const MAX_TRIES = 256;

/** A number that fulfils literals about numbers. */
export function findNumber(literals: readonly Literal[]): Outcome {
  const range = rangeOf(literals);
  if (range.from > range.to) return EMPTY;
  if (range.from === range.to && (range.isFromExcluded || range.isToExcluded)) return EMPTY;
  const steps = literals.flatMap((literal) => {
    if (literal.says === 'integer' && literal.is) return [1];
    return literal.says === 'multiple' && literal.is ? [literal.of] : [];
  });
  const excluded = excludedBy(literals);
  const isAllowed = (value: number) =>
    isWithin(value, range) && !excluded.has(canonicalValue(value)) && meets(value, literals);
  const step = steps.reduce<number | null>((a, b) => (a === null ? b : leastCommon(a, b)), null);
  if (step !== null && isEveryMultipleRefused(step, literals)) return EMPTY;
  const tries = MAX_TRIES + excluded.size;
  const candidates = step === null ? between(range, tries) : multiples(step, range, tries);
  const value = candidates.values.find(isAllowed);
  if (value !== undefined) return { is: 'inhabited', value };
  return candidates.isAll ? EMPTY : unknown('no number was found that is allowed by one alone');
}

interface Range {
  readonly from: number;
  readonly isFromExcluded: boolean;
  readonly to: number;
  readonly isToExcluded: boolean;
}

function rangeOf(literals: readonly Literal[]): Range {
  const limits = (says: 'at-least' | 'at-most') =>
    literals.filter((literal) => literal.says === says) as readonly Limit[];
  const lower = limits('at-least');
  const upper = limits('at-most');
  const from = Math.max(-Infinity, ...lower.map(({ limit }) => limit));
  const to = Math.min(Infinity, ...upper.map(({ limit }) => limit));
  return {
    from,
    isFromExcluded: lower.some(({ limit, exclusive }) => exclusive && limit === from),
    to,
    isToExcluded: upper.some(({ limit, exclusive }) => exclusive && limit === to),
  };
}

type Limit = Extract<Literal, { says: 'at-least' | 'at-most' }>;

function isWithin(value: number, range: Range): boolean {
  return (
    Number.isFinite(value) &&
    (range.isFromExcluded ? value > range.from : value >= range.from) &&
    (range.isToExcluded ? value < range.to : value <= range.to)
  );
}

function meets(value: number, literals: readonly Literal[]): boolean {
  return literals.every((literal) => {
    if (literal.says === 'integer') return Number.isInteger(value) === literal.is;
    if (literal.says === 'multiple') return Number.isInteger(value / literal.of) === literal.is;
    return true;
  });
}

/** True when what must be a multiple of `step` is then a multiple of what it must not be one of. */
function isEveryMultipleRefused(step: number, literals: readonly Literal[]): boolean {
  return literals.some(
    (literal) =>
      (literal.says === 'multiple' && !literal.is && Number.isInteger(step / literal.of)) ||
      (literal.says === 'integer' && !literal.is && Number.isInteger(step)),
  );
}

interface Candidates {
  readonly values: readonly number[];
  /** True when there are no others. */
  readonly isAll: boolean;
}

function multiples(step: number, range: Range, most: number): Candidates {
  const first = Math.ceil(range.from / step);
  const last = Math.floor(range.to / step);
  const start = Number.isFinite(first) ? first : Math.min(0, last);
  const isUpward = Number.isFinite(first) || start === 0;
  const count = Math.min(most, isUpward ? last - start + 1 : most);
  const values = Array.from({ length: Math.max(count, 0) }, (_, index) => {
    const factor = isUpward ? start + index : start - index;
    return factor * step;
  });
  const fromEnd = Array.from(
    { length: Math.min(count, most) },
    (_, index) => (last - index) * step,
  );
  const isAll = Number.isFinite(first) && last - first < most;
  return { values: isAll || !Number.isFinite(last) ? values : [...values, ...fromEnd], isAll };
}

function between(range: Range, most: number): Candidates {
  if (range.from === range.to) return { values: [range.from], isAll: true };
  const isFromFinite = Number.isFinite(range.from);
  const isToFinite = Number.isFinite(range.to);
  const from = isFromFinite ? range.from : isToFinite ? range.to - most : 0;
  const to = isToFinite ? range.to : from + most;
  const whole = Array.from({ length: most }, (_, index) => Math.ceil(from) + index);
  const halves = whole.map((value) => value + 0.5);
  // And fractions that are no neat multiple of anything written by hand.
  const fractions = Array.from(
    { length: most },
    (_, index) => from + ((to - from) * (index + Math.SQRT1_2)) / (most + 1),
  );
  return { values: [...whole, ...halves, from, to, (from + to) / 2, ...fractions], isAll: false };
}

/** The least common multiple of two positive numbers with few decimals. */
function leastCommon(a: number, b: number): number {
  const scale = 10 ** Math.max(decimalsOf(a), decimalsOf(b));
  const [x, y] = [Math.round(a * scale), Math.round(b * scale)];
  return ((x / greatestCommon(x, y)) * y) / scale;
}

function greatestCommon(a: number, b: number): number {
  return b < 1 ? a : greatestCommon(b, a % b);
}

function decimalsOf(value: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e');
  return Math.max((mantissa!.split('.')[1] ?? '').length - Number(exponent), 0);
}
