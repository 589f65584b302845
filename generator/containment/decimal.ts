/**
 * Exact arithmetic with numbers as JSON writes them: 0.1 is a tenth, not the nearest binary fraction.
 * Quotients of doubles are not exact: 1.1 / 0.01 is 110.00000000000001.
 *
 * Where two documents are compared, a wide integer is a bigint (`toBigInts`), although its type is
 * `number`: comparisons by < and > are exact then, and arithmetic goes through decimals.
 */

/** `units` / 10 ** `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** The shortest decimal that reads as this finite number. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The nearest number. */
export function numberOf({ units, scale }: Decimal): number {
  return Number(`${units}e${-scale}`);
}

/** The units of two decimals on one scale. */
export function aligned(a: Decimal, b: Decimal): readonly [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale);
  const unitsOf = (each: Decimal) => each.units * 10n ** BigInt(scale - each.scale);
  return [unitsOf(a), unitsOf(b), scale];
}

/** Whether a number is a wide integer with all its digits. */
export function isWide(value: unknown): boolean {
  return typeof value === 'bigint';
}

/** Whether a value is a number, finite if it is a double. */
export function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value) || isWide(value);
}

/** Whether a number is a multiple of `of`, which must be greater than 0. */
export function isMultiple(value: number, of: number): boolean {
  return isMultipleOf(decimalOf(value), decimalOf(of));
}

export function isMultipleOf(value: Decimal, of: Decimal): boolean {
  const [a, b] = aligned(value, of);
  return a % b === 0n;
}

/** The least common multiple of two decimals greater than 0. */
export function leastCommonMultiple(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b);
  return { units: (x / greatestCommonDivisor(x, y)) * y, scale };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
