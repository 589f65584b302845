import { expect, test } from 'vitest';
import { typeText } from '../../../generator/targets/types/type-text.ts';

const list = (bounds: object) => ({ type: 'array', items: { type: 'number' }, ...bounds });

test.each([
  ['of one certain, small length is a tuple', { minItems: 2, maxItems: 2 }, '[number, number]'],
  ['of one certain, large length is a list', { minItems: 32, maxItems: 32 }, 'number[]'],
  ['of at least one is a list: what `map` gives has to fit', { minItems: 1 }, 'number[]'],
  ['of at most so many is a list', { maxItems: 4 }, 'number[]'],
  ['that is empty is a list', { minItems: 0, maxItems: 0 }, 'number[]'],
])('a list %s', async (_, bounds, body) => {
  const text = await typeText(list(bounds), () => 'unknown');
  expect(text.body.replaceAll(/\s+/g, ' ').replace(/;$/, '')).toBe(body);
});

test('the description of a tuple’s elements is written once', async () => {
  const items = { type: 'object', description: 'A leaf.', properties: { a: { type: 'string' } } };
  const { body } = await typeText({ items, minItems: 2, maxItems: 2 }, () => 'unknown');
  expect(body).not.toContain('A leaf.');
});

test.each([
  [64, '|[number, number]|'],
  [65, 'unknown[]'],
])(
  'a list of %i elements with schemas of their own has a type of bounded size',
  async (count, start) => {
    const items = Array.from({ length: count }, () => ({ type: 'number' }));
    const { body } = await typeText({ type: 'array', items }, () => 'unknown');
    expect(body).toContain(start);
    expect(body.length).toBeLessThan(100_000);
  },
);
