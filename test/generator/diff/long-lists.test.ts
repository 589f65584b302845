import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn } from './support/documents.ts';

const listOf = (minItems: number, more: object = { uniqueItems: true }) =>
  documentOf([methodOf('a', { type: 'array', items: { type: 'integer' }, minItems, ...more })]);

test('a change of a short list of different elements is decided', async () => {
  expect(kindsIn(await diffOf(listOf(20), listOf(21)))).toEqual(['request-item-count-tightened']);
  expect(kindsIn(await diffOf(listOf(20), listOf(20, {})))).toEqual([
    'request-duplicate-items-allowed',
  ]);
});

test('a change of a very long list of different elements is undecided after a bounded search', async () => {
  const kinds = kindsIn(await diffOf(listOf(2 ** 50), listOf(2 ** 51)));
  expect(kinds).toEqual(['request-schema-undecided']);
  expect(kindsIn(await diffOf(listOf(2 ** 50, {}), listOf(2 ** 50)))).toEqual([
    'request-schema-undecided',
  ]);
});
