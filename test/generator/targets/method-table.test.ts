import { expect, test } from 'vitest';
import { methodTable } from '../../../generator/targets/methods/method-table.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

async function entryOf(method: Record<string, unknown>, components: Record<string, unknown> = {}) {
  const model = await modelOf(documentOf([method], { components }));
  return methodTable(model)[String(method['name'])]!;
}

test('a method of which the document says nothing more is free and unlimited', async () => {
  expect(await entryOf(methodOf('a', true))).toEqual({
    name: 'a',
    summary: '',
    credits: 0,
    family: null,
    transports: { supported: [], documented: [] },
    forwarding: false,
    paramStructure: 'by-position',
    stability: 'stable',
    deprecated: false,
    deprecatedSince: null,
    sunset: null,
    docs: null,
    params: [{ name: 'value', required: true }],
    gasCaps: [],
    normalize: [],
    nullMembers: [],
    blocks: [],
    nullIfNotFound: false,
    immutable: null,
    errors: [],
  });
});

test('cost, family, transports, forwarding, stability and null come from the document', async () => {
  const entry = await entryOf({
    ...methodOf('a', true),
    'x-credits': 150,
    'x-network-family': 'evm',
    'x-transports': { supported: ['http', 'websocket'], documented: ['http'] },
    'x-forwarding': { partner: true },
    'x-stability': 'beta',
    'x-deprecated-since': '2029-01-01',
    'x-sunset': '2030-01-01',
    externalDocs: { url: 'https://docs.example/a' },
    'x-not-found': 'null',
  });
  expect(entry).toMatchObject({
    credits: 150,
    family: 'evm',
    transports: { supported: ['http', 'websocket'], documented: ['http'] },
    forwarding: true,
    stability: 'beta',
    deprecatedSince: '2029-01-01',
    sunset: '2030-01-01',
    docs: 'https://docs.example/a',
    nullIfNotFound: true,
  });
});

test('the default of an optional parameter comes from its schema, also by reference', async () => {
  const entry = await entryOf(
    {
      name: 'a',
      params: [
        { name: 'required', required: true, schema: { default: 1 } },
        { name: 'own', schema: { default: 'latest' } },
        { name: 'shared', schema: { $ref: '#/components/schemas/Tag' } },
        { name: 'none', schema: true },
      ],
    },
    { schemas: { Tag: { type: 'string', default: null } } },
  );
  expect(entry.params).toEqual([
    { name: 'required', required: true },
    { name: 'own', required: false, default: 'latest' },
    { name: 'shared', required: false, default: null },
    { name: 'none', required: false },
  ]);
});

test('caps and normalizations are found through references, unions, members and recursion', async () => {
  const entry = await entryOf(
    {
      name: 'a',
      params: [
        { name: 'call', schema: { $ref: '#/components/schemas/Call' } },
        { name: 'block', schema: { oneOf: [{ $ref: '#/components/schemas/Block' }, true] } },
      ],
    },
    {
      schemas: {
        Call: {
          allOf: [
            { properties: { gas: { type: 'string', 'x-gas-cap': { timesBlockGasLimit: 10 } } } },
          ],
          properties: {
            inner: { $ref: '#/components/schemas/Call' },
            'a/b': { anyOf: [{ 'x-gas-cap': { timesBlockGasLimit: 2 } }] },
          },
        },
        Block: { 'x-normalize': { to: 'quantity', aliases: { pending: 'latest' } } },
      },
    },
  );
  expect(entry.gasCaps).toEqual([
    { pointer: '/0/gas', timesBlockGasLimit: 10 },
    { pointer: '/0/a~1b', timesBlockGasLimit: 2 },
  ]);
  expect(entry.normalize).toEqual([
    { pointer: '/1', to: 'quantity', aliases: { pending: 'latest' } },
  ]);
});

test('an immutable result waits for the block at a place in the params or in the result', async () => {
  const params = ['address', 'block'].map((name) => ({ name, schema: true }));
  const immutable = async (mark: unknown) =>
    (await entryOf({ name: 'a', params, 'x-immutable': mark })).immutable;
  expect(await immutable({ block: { param: 'block' } })).toEqual({
    block: { in: 'params', pointer: '/1' },
  });
  expect(await immutable({ block: { result: '/blockNumber' } })).toEqual({
    block: { in: 'result', pointer: '/blockNumber' },
  });
  expect(await immutable(true)).toEqual({ block: null });
  expect(await immutable({ block: { param: 'unknown' } })).toBeNull();
});

test('errors have their names in the catalog', async () => {
  const entry = await entryOf(
    {
      ...methodOf('a', true),
      errors: [{ $ref: '#/components/errors/Busy' }, { code: 7, message: 'out of coffee' }],
    },
    { errors: { Busy: { code: 1, message: 'busy' } } },
  );
  expect(entry.errors).toEqual(['Busy', 'OutOfCoffee']);
});
