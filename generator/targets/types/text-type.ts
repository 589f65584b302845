import type { Schema } from '../../../common/json/value.ts';

/** A digit or a range of digits, how often, and what groups them. */
const DIGITS = String.raw`(?:\[\d-\d\]|\\d|\d|\(\?:|[()|?*+]|\{\d+(?:,\d*)?\})*`;

/** Patterns whose texts TypeScript can distinguish, and their types. */
const rows: readonly (readonly [RegExp, string])[] = [
  // The "0x" is not optional, and no alternative beside it is outside of a group.
  [/^\^0x(?![?*{])(?:[^|()]|\((?:[^()]|\([^()]*\))*\))*$/, '`0x${string}`'],
  // Without leading zeros, which TypeScript does not take for a bigint.
  [new RegExp(String.raw`^\^(?:\((?:\?:)?0\|)?\[1-9\]${DIGITS}\$$`), '`${bigint}`'],
];

/**
 * Returns the type of the texts that a pattern allows: `` `0x${string}` `` for hexadecimal digits
 * after "0x", `` `${bigint}` `` for decimal ones; null if it is `string`. In a union with tags, a
 * mistyped tag would be such a `string`.
 */
export function textType(schema: Schema): string | null {
  const pattern = typeof schema === 'object' ? schema['pattern'] : undefined;
  if (typeof pattern !== 'string') return null;
  return rows.find(([form]) => form.test(pattern))?.[1] ?? null;
}
