import { expect, test } from 'vitest';
import { atScale } from '../../support/soak.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { render, validatorsOf } from '../support/render.ts';

const range = (length: number) => Array.from({ length }, (_, index) => index);
const DEPTH = atScale(2000, 400);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('chains of references may have any length', async () => {
  const schemas = Object.fromEntries([
    ...range(DEPTH).map((index) => [
      `Next${index}`,
      { properties: { next: ref(`Next${index + 1}`) } },
    ]),
    [`Next${DEPTH}`, { type: 'string' }],
    ...range(DEPTH).map((index) => [
      `Ring${index}`,
      { properties: { next: ref(`Ring${(index + 1) % DEPTH}`) } },
    ]),
  ]);
  const { validateParams } = await validatorsOf(
    documentOf([methodOf('chain', ref('Next0')), methodOf('ring', ref('Ring0'))], {
      components: { schemas },
    }),
  );
  const chain = (end: unknown) => range(DEPTH).reduce<unknown>((next) => ({ next }), end);
  expect(validateParams['chain']!([chain('end')])).toEqual([]);
  expect(validateParams['chain']!([chain(1)])).toHaveLength(1);
  expect(validateParams['ring']!([chain({})])).toEqual([]);
});

test('Python types take no time for each path through components', async () => {
  const side = (index: number) => ({
    type: 'object',
    title: `Side ${index}`,
    properties: { [`side${index}`]: {} },
  });
  const schemas = Object.fromEntries([
    // As many paths lead to the last component as there are sums of 1 and 2.
    ...range(60).map((index) => [
      `Part${index}`,
      { allOf: [ref(`Part${index + 1}`), ref(`Part${index + 2}`)] },
    ]),
    ['Part60', { title: 'Sixty', oneOf: [side(60)] }],
    ['Part61', { title: 'Last', oneOf: [side(61)] }],
    // As many alternatives as there are choices of one of four, thirty times.
    ['Four', { oneOf: range(4).map(side) }],
    ['Choices', { properties: { own: {} }, allOf: range(30).map(() => ref('Four')) }],
    ['Same', { allOf: [ref('Choices'), ref('Choices')] }],
  ]);
  const document = documentOf([methodOf('get', ref('Part0'))], { components: { schemas } });
  const files = await render(document, 'python');
  const types = [...files].find(([path]) => path.endsWith('/types.py'))![1];
  expect(types).toMatch(/class Part0\(TypedDict.*\n(?:.*\n)*? +side60:(?:.*\n)*? +side61:/);
  expect(types).toMatch(/class Same\(TypedDict.*\n(?:.*\n)*? +own:/);
});

test.each(['anyOf', 'oneOf'])('a schema may have thousands of branches of %s', async (keyword) => {
  const count = atScale(20_000, 3000);
  const branches = range(count).map((index) => ({ required: [`p${index}`], type: 'object' }));
  const { validateParams } = await validatorsOf(
    documentOf([methodOf('a', { [keyword]: branches })]),
  );
  expect(validateParams['a']!([{ [`p${count - 1}`]: 1 }])).toEqual([]);
  expect(validateParams['a']!([{ [`p${count}`]: 1 }])).toMatchObject([{ keyword }]);
});
