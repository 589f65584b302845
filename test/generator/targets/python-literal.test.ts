import { expect, test } from 'vitest';
import { pythonLiteralLines } from '../../../generator/targets/python/literal.ts';
import type { Json } from '../../../common/json/value.ts';

const values: readonly (readonly [Json, string])[] = [
  [[',', 'a', ','], '[",", "a", ","]'],
  [{ a: ',', b: 1 }, '{"a":",", "b":1}'],
  [{ a: { b: ',', c: ['x', 'y'] } }, '{"a":{"b":",", "c":["x", "y"]}}'],
  [[1, ',', [','], 'a'], '[1,",",[","],"a"]'],
  [['\\",', '"'], String.raw`["\\\",", "\""]`],
];

test.each(values)('spaces of the literal of %j are between strings only', (value, literal) => {
  expect(pythonLiteralLines(value, 80)).toBe(literal);
  expect(JSON.parse(literal)).toEqual(value);
});
