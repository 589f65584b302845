import { expect, test } from 'vitest';
import { hasMoreValues } from '../../src/json/count-values.ts';

test.each([
  ['[1,2,3]', 4],
  ['[[],{"a":1},"[,{"]', 6],
  [String.raw`["\\",",,\",,",1,2]`, 5],
])('counts the values outside of strings: %s', (text, count) => {
  // White space, which keeps a short text from being taken for one of few values.
  const bytes = Buffer.from(text + ' '.repeat(100));
  expect(hasMoreValues(bytes, count)).toBe(false);
  expect(hasMoreValues(bytes, count - 1)).toBe(true);
});

test('does not read a text that is too short for more values', () => {
  expect(hasMoreValues(Buffer.from('[0,0]'), 3)).toBe(false);
});
