import { expect, test } from 'vitest';
import { atScale } from '../../support/soak.ts';
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
  const longer = [listOf(2 ** 50), listOf(2 ** 51)] as const;
  const unique = [listOf(2 ** 50, {}), listOf(2 ** 50)] as const;
  for (const [older, newer] of atScale([longer, unique], [longer])) {
    expect(kindsIn(await diffOf(older, newer))).toEqual(['request-schema-undecided']);
  }
});

test('very many parameters are paired by name and by position', async () => {
  const count = atScale(10_000, 3_000);
  const withParams = (prefix: string) => {
    const params = Array.from({ length: count }, (_, index) => ({
      name: `${index % 2 === 0 ? 'same' : prefix}${index}`,
      required: true,
      schema: { type: 'string' },
    }));
    return documentOf([{ ...methodOf('a', true), params }]);
  };
  const kinds = kindsIn(await diffOf(withParams('old'), withParams('new')));
  expect(new Set(kinds)).toEqual(new Set(['param-renamed']));
});

test('very many removed schemas are compared with the added ones', async () => {
  const withSchemas = (count: number) => {
    const schemas = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`S${index}`, { minimum: index }]),
    );
    return documentOf([methodOf('a', true)], { components: { schemas } });
  };
  const kinds = kindsIn(await diffOf(withSchemas(atScale(30_000, 10_000)), withSchemas(2)));
  expect(new Set(kinds)).toEqual(new Set(['component-schema-removed']));
});
