import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { lint, lintBy } from './lint.ts';

test('a content descriptor in place of a schema is reported as such', async () => {
  const document = documentOf([methodOf('a', { $ref: '#/components/schemas/Id' })], {
    components: { schemas: { Id: { name: 'id', schema: { type: 'string' } } } },
  });
  const found = await lint(document);
  expect(found.filter(({ code }) => code === 'misspelled-keyword')).toMatchObject([
    {
      pointer: '/components/schemas/Id/schema',
      message: '"schema" belongs to a content descriptor, but this is a JSON Schema',
      fix: 'move its contents up one level',
    },
  ]);
  expect(await lintBy('unknown-keyword', document)).toEqual([
    '/components/schemas/Id/name: unknown JSON Schema keyword "name"',
  ]);
});

test('a keyword that holds a string is suggested only for a string', async () => {
  const suggested = async (schema: unknown) => {
    const found = await lint(documentOf([methodOf('a', schema)]));
    return found.filter(({ code }) => code === 'misspelled-keyword').map(({ fix }) => fix);
  };
  expect(await suggested({ schema: 'http://json-schema.org/draft-07/schema#' })).toEqual([
    'did you mean "$schema"?',
  ]);
  expect(await suggested({ comment: 'why' })).toEqual(['did you mean "$comment"?']);
  expect(await suggested({ comment: { by: 'x' }, schema: ['a'] })).toEqual([]);
});

test('a predefined error with another code is reported by its code in the document', async () => {
  const errors = [
    { code: -32000, message: 'Internal error' },
    { code: -32601, message: 'Invalid params: too few' },
  ];
  const document = documentOf([{ name: 'a', params: [], errors }]);
  expect(await lintBy('error-code-meaning', document)).toEqual([
    '/methods/0/errors/0: the error -32000 is called "Internal error", which is -32603 in JSON-RPC',
    '/methods/0/errors/1: the error -32601 is called "Invalid params", which is -32602 in JSON-RPC, and -32601 is "Method not found"',
  ]);
});

test('an extension on an error or a schema that is declared for methods is misplaced', async () => {
  const document = documentOf([methodOf('a', { type: 'string', 'x-credits': 1 })], {
    components: { errors: { Lost: { code: 1, message: 'lost', 'x-credits': 1 } } },
    'x-extensions': [
      {
        openrpcExtension: '0.0.0-development',
        name: 'x-credits',
        version: '1.0.0',
        restricted: ['methodObject'],
        schema: { type: 'integer' },
      },
    ],
  });
  expect(await lintBy('misplaced-extension', document)).toEqual([
    '/methods/0/params/0/schema/x-credits: "x-credits" is used on the JSONSchema but declared for methodObject',
    '/components/errors/Lost/x-credits: "x-credits" is used on the errorObject but declared for methodObject',
  ]);
});

test('an immutable result whose pointer no result of an example has is reported', async () => {
  const method = (result: string) => ({
    name: 'getReceipt',
    params: [],
    examples: [
      { name: 'none', params: [], result: { name: 'receipt', value: null } },
      { name: 'one', params: [], result: { name: 'receipt', value: { block: '0x1' } } },
    ],
    'x-immutable': { block: { result } },
  });
  const lintMethod = (result: string) => lintBy('immutable-block', documentOf([method(result)]));
  expect(await lintMethod('/block')).toEqual([]);
  expect(await lintMethod('/number')).toEqual([
    '/methods/0/x-immutable/block/result: no example of the method has a result with "/number"',
  ]);
});
