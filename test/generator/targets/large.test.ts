import { expect, test } from 'vitest';
import { targets } from '../../../generator/targets/index.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

const range = (length: number) => Array.from({ length }, (_, index) => index);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('a document of 1,000 methods whose schemas refer to one another in every direction is no trouble', async () => {
  const schemas = Object.fromEntries(
    range(500).map((index) => [
      `Type${index}`,
      {
        type: 'object',
        properties: {
          a: ref(`Type${(index * 7 + 3) % 500}`),
          b: ref(`Type${(index * 13 + 5) % 500}`),
          gas: {
            type: 'string',
            ...(index === 3 ? { 'x-gas-cap': { timesBlockGasLimit: 1 } } : {}),
          },
        },
      },
    ]),
  );
  const methods = range(1000).map((index) =>
    methodOf(`method_${index}`, ref(`Type${index % 500}`), {
      type: 'array',
      items: ref(`Type${index % 500}`),
    }),
  );
  const model = await modelOf(documentOf(methods, { components: { schemas } }));
  const small = targets.filter(({ name }) => name !== 'client');
  for (const target of small) {
    const files = await target.render(model, { source: 'doc.json' });
    expect(files.size).toBeGreaterThan(0);
  }
}, 120_000);

test('schemas may be nested as deep by reference as one likes', async () => {
  const schemas = Object.fromEntries([
    ...range(2000).map((index) => [
      `Next${index}`,
      { properties: { next: ref(`Next${index + 1}`) } },
    ]),
    ['Next2000', { type: 'string' }],
    ...range(2000).map((index) => [
      `Ring${index}`,
      { properties: { next: ref(`Ring${(index + 1) % 2000}`) } },
    ]),
  ]);
  const { validateParams } = await validatorsOf(
    documentOf([methodOf('chain', ref('Next0')), methodOf('ring', ref('Ring0'))], {
      components: { schemas },
    }),
  );
  const chain = (end: unknown) => range(2000).reduce<unknown>((next) => ({ next }), end);
  expect(validateParams['chain']!([chain('end')])).toEqual([]);
  expect(validateParams['chain']!([chain(1)])).toHaveLength(1);
  expect(validateParams['ring']!([chain({})])).toEqual([]);
}, 120_000);
