import { expect, test, vi } from 'vitest';
import type { Json } from '../../common/json/value.ts';
import { createCheck } from '../../generator/violations/create-ajv.ts';

const schema = { uniqueItems: true, items: { $ref: 'list' } };
const check = createCheck([{ id: 'list', schema }], 'list', { maxFindings: 20 });

test('uniqueItems of lists within lists compares each part once', () => {
  const read = vi.fn(() => 1);
  const part = Object.defineProperty({}, 'a', { enumerable: true, get: read });
  let value: unknown = [part, { b: 1 }];
  for (let level = 0; level < 50; level += 1) value = [value, level];
  expect(check(value as Json)).toEqual([]);
  expect(read).toHaveBeenCalledTimes(1);
});

test.each([
  [
    'members in another order',
    [
      { a: 1, b: [1] },
      { b: [1], a: 1 },
    ],
    1,
  ],
  [
    'parts of equal parts',
    [
      [[[1]], 0],
      [[[1]], 0],
    ],
    1,
  ],
  ['a number and its text', [[1], ['1']], 0],
  ['a list and what its key looks like', ['#0', [1], '[1]'], 0],
  ['an empty list and an empty object', [[], {}], 0],
  ['different members', [{ a: 1 }, { b: 1 }, { a: 2 }], 0],
])('uniqueItems compares %s', (_, value, count) => {
  expect(check(value as Json)).toHaveLength(count);
});

test('uniqueItems remembers nothing of an earlier value', () => {
  const list: Json[] = [[1], [2]];
  expect(check(list)).toEqual([]);
  (list[1] as Json[])[0] = 1;
  expect(check(list)).toHaveLength(1);
});
