import type { Schema } from '../../../common/json/value.ts';

/** Digits and ranges of digits, with quantifiers and groups. */
const DIGITS = String.raw`(?:\[\d-\d\]|\\d|\d|\(\?:|[()|?*+]|\{\d+(?:,\d*)?\})*`;

/** Patterns whose texts TypeScript can distinguish, and their types. */
const rows: readonly (readonly [RegExp, string])[] = [
  // The "0x" is not optional, and alternatives occur only in groups after it.
  [/^\^0x(?![?*{])(?:[^|()]|\((?:[^()]|\([^()]*\))*\))*$/, '`0x${string}`'],
  // Without leading zeros, which TypeScript does not accept in a bigint.
  [new RegExp(String.raw`^\^(?:\((?:\?:)?0\|)?\[1-9\]${DIGITS}\$$`), '`${bigint}`'],
];

/**
 * Returns the type of the texts that a pattern allows: `` `0x${string}` `` for hexadecimal digits after
 * "0x", `` `${bigint}` `` for decimal ones; null if it is `string`. In a union with tags, `string` would
 * accept a mistyped tag.
 */
export function textType(schema: Schema): string | null {
  const pattern = typeof schema === 'object' ? schema['pattern'] : undefined;
  if (typeof pattern !== 'string') return null;
  return rows.find(([form]) => form.test(pattern))?.[1] ?? null;
}
