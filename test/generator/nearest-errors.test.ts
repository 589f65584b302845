import { expect, test } from 'vitest';
import { createCheck } from '../../generator/violations/create-ajv.ts';

test('a branch of a union may have hundreds of thousands of errors', () => {
  const lists = Array.from({ length: 2_000 }, () => ({ items: { type: 'string' } }));
  const schema = { oneOf: [{ type: 'array', allOf: lists }, { type: 'null' }] };
  const check = createCheck([{ id: 'union', schema }], 'union', { maxFindings: 2 });
  const value = Array.from({ length: 200 }, () => 1);
  expect(check(value).map(({ path, what }) => `${path} ${what}`)).toEqual([
    '/0 expected a string, got 1',
    '/1 expected a string, got 1',
  ]);
});

test('a branch fits best if only members are wrong, however many they are', () => {
  const reference = { required: ['ref'], properties: { ref: {} }, additionalProperties: false };
  const schema = { oneOf: [{ properties: { list: { items: { type: 'string' } } } }, reference] };
  const check = createCheck([{ id: 'union', schema }], 'union', { maxFindings: 1 });
  const value = { list: Array.from({ length: 50 }, () => 1) };
  expect(check(value).map(({ path }) => path)).toEqual(['/list/0']);
});
