import { expect, test } from 'vitest';
import { toDiagnostic } from '../../../generator/validation/to-diagnostic.ts';

test.each([
  ['minLength', 'at least 1 character', 'must have at least 1 character'],
  ['maxItems', 'at most 3 elements', 'must have at most 3 elements'],
  ['type', 'a string', 'make it a string'],
  ['enum', 'one of "a", "b"', 'use one of these values'],
])('the fix for %s reads as a sentence', (keyword, expected, fix) => {
  expect(
    toDiagnostic({ path: '/a', keyword, expected, problem: 'p', what: 'p', meant: null }).fix,
  ).toBe(fix);
});
