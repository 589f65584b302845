import { expect, test } from 'vitest';
import { bundleDraft, draftOf } from '../../../generator/bundle/bundle.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { findUnsound } from '../../../generator/validation/soundness.ts';
import { documentOf, readerOf, type Document } from '../support/document.ts';

const shared = {
  limit: { name: 'limit', schema: { type: 'integer' } },
  page: { name: 'page', schema: { $ref: '#/Page' } },
  Page: { type: 'string' },
  components: { errors: { Gone: { code: 404, message: 'gone' } } },
  users: { name: 'users' },
  two: { name: 'two', value: 2 },
  call: { name: 'call', params: [{ $ref: '#/two' }], result: { name: 'r', value: {} } },
};

const methodWith = (name: string, more: Document = {}): Document => ({
  name,
  params: [{ $ref: 'shared.json#/limit' }],
  result: { $ref: 'shared.json#/page' },
  errors: [{ $ref: 'shared.json#/components/errors/Gone' }],
  tags: [{ $ref: 'shared.json#/users' }],
  examples: [{ $ref: 'shared.json#/call' }],
  ...more,
});

async function bundle(document: Document, part: Document = shared): Promise<JsonObject> {
  const { read } = readerOf({ 'doc.json': document, 'shared.json': part });
  return (await bundleDraft(draftOf(parseSource(await read('doc.json'))), { read })).document;
}

test('what several methods have from a file becomes components, under the names it had there', async () => {
  const own = { examples: [{ name: 'own', params: [{ $ref: 'shared.json#/two' }] }] };
  const document = await bundle(
    documentOf([methodWith('a', own), methodWith('b'), methodWith('c')]),
  );
  expect(document['components']).toEqual({
    contentDescriptors: {
      limit: shared.limit,
      page: { name: 'page', schema: { $ref: '#/components/schemas/Page' } },
    },
    errors: shared.components.errors,
    tags: { users: { name: 'users' } },
    examples: { two: shared.two },
    examplePairings: { call: { ...shared.call, params: [{ $ref: '#/components/examples/two' }] } },
    schemas: { Page: { type: 'string' } },
  });
  const parts = {
    params: [{ $ref: '#/components/contentDescriptors/limit' }],
    result: { $ref: '#/components/contentDescriptors/page' },
    errors: [{ $ref: '#/components/errors/Gone' }],
    tags: [{ $ref: '#/components/tags/users' }],
    examples: [{ $ref: '#/components/examplePairings/call' }],
  };
  expect(document['methods']).toEqual([
    {
      name: 'a',
      ...parts,
      examples: [{ name: 'own', params: [{ $ref: '#/components/examples/two' }] }],
    },
    { name: 'b', ...parts },
    { name: 'c', ...parts },
  ]);
  expect(findUnsound(document)).toEqual([]);
});

test('what one method alone has stays in it', async () => {
  const document = await bundle(documentOf([methodWith('a')]));
  expect(document['methods']).toMatchObject([{ params: [shared.limit], tags: [shared.users] }]);
  expect(Object.keys(document['components'] as object)).toEqual(['schemas']);
});

test('a component that is nothing but a reference to it keeps its name, and a taken name is not used', async () => {
  const components = {
    contentDescriptors: {
      Limit: { $ref: 'shared.json#/limit' },
      page: { name: 'other', schema: true },
    },
  };
  const document = await bundle(
    documentOf([methodWith('a', { examples: [] }), methodWith('b', { examples: [] })], {
      components,
    }),
  );
  expect(document['methods']).toMatchObject([
    {
      params: [{ $ref: '#/components/contentDescriptors/Limit' }],
      result: { $ref: '#/components/contentDescriptors/SharedPage' },
    },
    {
      params: [{ $ref: '#/components/contentDescriptors/Limit' }],
      result: { $ref: '#/components/contentDescriptors/SharedPage' },
    },
  ]);
  expect(document['components']).toMatchObject({
    contentDescriptors: {
      Limit: shared.limit,
      page: { name: 'other' },
      SharedPage: { name: 'page' },
    },
  });
  expect(findUnsound(document)).toEqual([]);
});
