import type { SchemaObject } from './combine-schemas.ts';

/** Larger powers of ten are not exact as numbers. */
const MAX_DECIMALS = 22;

/** Number of multiples to choose from if a bound is missing. */
const OPEN_RANGE = 1_000;

const MAX_ATTEMPTS = 100;

/**
 * Returns a multiple of a `multipleOf` with a fraction, within the bounds of the schema; null if none was
 * found. json-schema-faker uses neither the seed nor the bounds for it.
 */
export function makeMultiple(
  schema: SchemaObject,
  multipleOf: number,
  random: () => number,
): number | null {
  const scale = 10 ** decimalsOf(multipleOf);
  const units = Math.round(multipleOf * scale);
  if (scale > 10 ** MAX_DECIMALS || units < 1) return null;
  const step = schema['type'] === 'integer' ? units * (scale / commonDivisor(units, scale)) : units;
  const bounds = boundsOf(schema);
  // Beyond these factors, products are not exact.
  const most = Math.floor(Number.MAX_SAFE_INTEGER / step);
  const [low, high] = rangeOf(bounds, step / scale).map((factor) =>
    Math.min(most, Math.max(-most, factor)),
  ) as [number, number];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const product = (low + Math.floor(random() * (high - low + 1))) * step;
    // A quotient of exact integers is the nearest number to the decimal: 3 * 0.1 is not.
    const value = product / scale;
    // The validators, too, divide: for them, 0.6 is not a multiple of 0.2.
    const isExact = Number.isSafeInteger(product) && Number.isInteger(value / multipleOf);
    if (isExact && bounds.allows(value)) return value;
  }
  return null;
}

/** Returns the number of digits after the point: 2 for 0.25, 7 for 1e-7. */
function decimalsOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function boundsOf(schema: SchemaObject) {
  const at = (keyword: string, open: number) => {
    const bound = schema[keyword];
    return typeof bound === 'number' ? bound : open;
  };
  const [min, max] = [at('minimum', -Infinity), at('maximum', Infinity)];
  const [above, below] = [at('exclusiveMinimum', -Infinity), at('exclusiveMaximum', Infinity)];
  return {
    low: Math.max(min, above),
    high: Math.min(max, below),
    allows: (value: number) => value >= min && value <= max && value > above && value < below,
  };
}

/** Returns the range of factors, one wider at each end because of rounding. */
function rangeOf(bounds: { readonly low: number; readonly high: number }, size: number) {
  const low = Math.floor(bounds.low / size) - 1;
  const high = Math.ceil(bounds.high / size) + 1;
  if (Number.isFinite(low)) return [low, Number.isFinite(high) ? high : low + OPEN_RANGE] as const;
  return Number.isFinite(high) ? ([high - OPEN_RANGE, high] as const) : ([0, OPEN_RANGE] as const);
}
