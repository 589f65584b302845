import { expect, test } from 'vitest';
import { atScale } from '../../support/soak.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

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
}, 120_000);
