/** Examples are compared and read in a time in proportion to the document. */
import { expect, test } from 'vitest';
import { toLoaded } from '../../../bench/diff/document.ts';
import { canonicalValue, isSame } from '../../../generator/containment/canonical.ts';
import { readContract } from '../../../generator/verify/contract.ts';
import { Seeds } from '../../../generator/verify/seeds.ts';
import { documentOf, type Document } from '../support/document.ts';

async function contractOf(document: Document) {
  return readContract((await toLoaded(document)).model, { writes: false });
}

function exampleOf(index: number, params: readonly unknown[], result: unknown): Document {
  return { name: `e${index}`, params, result: { name: 'r', value: result } };
}

function methodWith(schema: unknown, examples: readonly Document[]): Document {
  const params = ['a', 'b'].map((name) => ({ name, schema: true }));
  return { name: 'get', params, result: { name: 'r', schema }, examples };
}

test('very many examples that share a large param', async () => {
  const big = { name: 'a', value: Array.from({ length: 20_000 }, (_, index) => index) };
  const shared = { $ref: '#/components/examples/big' };
  const examples = Array.from({ length: 1_000 }, (_, index) =>
    exampleOf(index, [shared, { name: 'b', value: index % 999 }], index),
  );
  const contract = await contractOf(
    documentOf([methodWith(true, examples)], { components: { examples: { big } } }),
  );
  const exact = contract.methods[0]!.examples.map(({ isExact }) => isExact);
  expect(exact).toHaveLength(1_000);
  // The last one has the params of the first, and another result.
  expect(exact.flatMap((each, index) => (each ? [] : [index]))).toEqual([0, 999]);
});

test('a result that a schema describes in exponentially many ways', async () => {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
  const nested = Array.from({ length: 100 }, (_, index) => [
    `S${index}`,
    { anyOf: [ref(index + 1), ref(index + 1)] },
  ]);
  const schemas = Object.fromEntries([...nested, ['S100', { type: 'string' }]]);
  const examples = Array.from({ length: 100 }, (_, index) => exampleOf(index, [], `x${index}`));
  const document = documentOf([methodWith(ref(0), examples)], { components: { schemas } });
  const seeds = new Seeds(await contractOf(document));
  expect(seeds.of('S100')[0]!.value).toBe('x0');
});

test('wide integers are equal as numbers and with all digits, in a short text', () => {
  const wide = [
    [1e21, 10n ** 21n],
    [-3e25, -3n * 10n ** 25n],
  ] as const;
  for (const [value, digits] of wide) {
    expect(isSame([value], [digits])).toBe(true);
    expect(canonicalValue(value)).toBe(canonicalValue(digits as unknown as number));
    expect(isSame(value, -value)).toBe(false);
  }
  expect(canonicalValue(1e308)).toBe('1e308');
  expect(isSame(1e21, '1e21')).toBe(false);
  expect(isSame({ a: [1, { b: null }], c: 2 }, { c: 2, a: [1, { b: null }] })).toBe(true);
  expect(isSame({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(isSame([1], { 0: 1 })).toBe(false);
});
