import { describeDiagnostic } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../common/json/value.ts';
import { setAt } from '../../../generator/bundle/share.ts';
import { walkSchemas } from '../../../generator/schema/subschemas.ts';
import { documentOf, methodOf, modelOf, problemsOf, type Document } from '../support/document.ts';

const invalid = `{
  "openrpc": "1.3.2",
  "info": { "titel": "x", "version": 1 },
  "methods": [
    { "name": "a", "params": [{ "name": "p", "schema": { "type": "strin" } }, { "name": "q" }] },
    { "params": {} },
    { "name": "b", "params": [], "sumary": "", "errors": [{ "code": "x", "message": "m" }] }
  ]
}`;

test('all errors in an invalid document are reported at once: place, error and fix', async () => {
  const diagnostics = await problemsOf({ 'doc.json': invalid });
  const lines = diagnostics.map(describeDiagnostic);
  expect(lines).toContain('doc.json:3:3 #/info/title: missing; add it');
  expect(lines).toContain(
    'doc.json:3:13 #/info/titel: unknown; did you mean "title"?; remove it, or start its name with "x-"',
  );
  expect(lines).toContain(
    'doc.json:3:27 #/info/version: expected a string, got 1; make it a string',
  );
  expect(diagnostics.map(({ pointer }) => pointer)).toEqual([
    '/info/title',
    '/info/titel',
    '/info/version',
    '/methods/0/params/0/schema/type',
    '/methods/0/params/1/schema',
    '/methods/1/name',
    '/methods/1/params',
    '/methods/2/sumary',
    '/methods/2/errors/0/code',
  ]);
});

test('a list of 30,000 values is read, and a duplicate in it is reported', async () => {
  const values = Array.from({ length: 30_000 }, (_, index) => `v${index}`);
  const { methods } = await modelOf(documentOf([methodOf('a', { enum: values })]));
  expect(methods[0]!.params[0]!.schema).toEqual({ enum: values });
  const repeated = documentOf([methodOf('a', { enum: [...values, 'v7'] })]);
  expect((await problemsOf({ 'doc.json': repeated })).map(describeDiagnostic)).toEqual([
    expect.stringContaining(
      '#/methods/0/params/0/schema/enum: expected no two equal elements, got an array of 30001',
    ),
  ]);
});

test('a schema may have more branches than a function call takes arguments', () => {
  const anyOf = Array.from({ length: 130_000 }, () => true);
  const root = { schema: { anyOf }, holder: [], key: 0, pointer: '' };
  expect([...walkSchemas([root])]).toHaveLength(130_001);
});

describe('anything but an OpenRPC document is refused', () => {
  test.each([
    ['a list', [], 'expected an object'],
    ['null', null, 'expected an object'],
    ['a document without a version', { methods: [] }, '"openrpc", the version of the spec'],
    [
      'a document of OpenAPI',
      { openapi: '3.1.0' },
      '"openapi" belongs to a different specification',
    ],
    ['another version', { openrpc: '2.0.0' }, 'version "2.0.0" of OpenRPC is not supported'],
    ['a version that is not a string', { openrpc: 1.3 }, 'version 1.3 of OpenRPC is not supported'],
  ])('%s', async (_, document, what) => {
    const diagnostics = await problemsOf({ 'doc.json': document });
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.message).toContain(what);
  });
});

test.each(['1.0.0', '1.1.12', '1.2.6', '1.3.2', '1.4.1'])('OpenRPC %s is read', async (openrpc) => {
  const model = await modelOf({ ...documentOf([methodOf('a', true)]), openrpc });
  expect(model.openrpc).toBe(openrpc);
});

test('an address that the official validator refuses is reported at its place', async () => {
  const diagnostics = await problemsOf({
    'doc.json': documentOf([methodOf('a', { $ref: '#/components/schemas/User account' })], {
      components: { schemas: { 'User account': true } },
      externalDocs: { url: 'https://example.org/a b' },
    }),
  });
  expect(diagnostics.map(({ pointer, fix }) => `${pointer}: ${fix}`).toSorted()).toEqual([
    '/externalDocs/url: make it text in the format uri',
    '/methods/0/params/0/schema/$ref: write a space in it as %20',
  ]);
});

test.each(['examplePairings', 'examplePairingObjects'])(
  'a reference may lead to %s',
  async (key) => {
    const pairing = { name: 'one', params: [] };
    const examples = [{ $ref: `#/components/${key}/One` }];
    const method = { ...methodOf('a', true), examples };
    const model = await modelOf(documentOf([method], { components: { [key]: { One: pairing } } }));
    expect(model.methods[0]!.examples).toHaveLength(1);
  },
);

test.each([
  ['/methods/0', '#/x-parts/method', 'a method'],
  ['/methods/0/params/0', '#/x-parts/param', 'a content descriptor'],
  ['/methods/0/result', '#/components/schemas/User', 'a content descriptor'],
  ['/methods/0/errors/0', '#/components/tags/User', 'an error'],
])('a reference at %s to %s does not lead to %s', async (pointer, $ref, noun) => {
  const document = documentOf([{ ...methodOf('a', true), errors: [{ code: 1, message: 'm' }] }], {
    components: { schemas: { User: true }, tags: { User: { name: 'user' } } },
    'x-parts': { method: { name: 5 }, param: { name: 'p', schema: { pattern: '(' } } },
  });
  setAt(document as JsonObject, pointer, { $ref });
  const [problem, ...others] = await problemsOf({ 'doc.json': document });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    pointer,
    message: `the reference "${$ref}" does not lead to ${noun}`,
  });
});

test('an extension that cannot be applied is reported as such', async () => {
  const extension = { openrpcExtension: '0.0.0-development', name: 'x-a', version: '1.0.0' };
  const document = { ...documentOf([]), 'x-extensions': [{ ...extension, schema: {} }] };
  const [problem] = await problemsOf({ 'doc.json': document });
  expect(problem?.pointer).toBe('/x-extensions');
});

test('a value that violates the schema of an extension is reported', async () => {
  const extension = {
    openrpcExtension: '0.0.0-development',
    name: 'x-cost',
    version: '1.0.0',
    restricted: ['methodObject'],
    schema: { type: 'integer' },
  };
  const document = documentOf([{ ...methodOf('a', true), 'x-cost': 'much' }]);
  const [problem] = await problemsOf({
    'doc.json': { ...document, 'x-extensions': [extension] },
  });
  expect(problem).toMatchObject({
    pointer: '/methods/0/x-cost',
    message: 'expected an integer, got "much"',
  });
});

test('constraints beyond the meta-schema are reported, all at once', async () => {
  const document = documentOf(
    [
      {
        name: 'a',
        params: [
          { $ref: '#/components/contentDescriptors/None' },
          { name: 'x', schema: { $ref: '#/components/schemas/None' } },
          { name: 'x', schema: { $ref: '#/components/contentDescriptors/D' } },
        ],
        errors: [{ $ref: '#/components/errors/None' }],
      },
      { name: 'a', params: [{ name: 'p', schema: { $ref: '#/components/schemas/C1' } }] },
    ],
    {
      components: {
        schemas: {
          C1: { $ref: '#/components/schemas/C2' },
          C2: { $ref: '#/components/schemas/C1' },
        },
        contentDescriptors: { D: { name: 'd', schema: true } },
      },
    },
  );
  const pointers = (await problemsOf({ 'doc.json': document })).map(({ pointer }) => pointer);
  expect(pointers.toSorted()).toEqual([
    '/components/schemas/C1',
    '/methods/0/errors/0',
    '/methods/0/params/0',
    '/methods/0/params/1/schema',
    '/methods/0/params/2/name',
    '/methods/0/params/2/schema',
    '/methods/1/name',
  ]);
});

test('errors of one phase do not hide those of another', async () => {
  const method = (schema: unknown) => ({ name: 'a', params: [], result: { name: 'r', schema } });
  const methods = [method({ $ref: 'gone.json' }), method({ $ref: '#/components/schemas/None' })];
  const pointersOf = async (document: Document) =>
    (await problemsOf({ 'doc.json': document })).map(({ pointer }) => pointer).toSorted();
  const unread = ['/methods/0/result/schema', '/methods/1/name', '/methods/1/result/schema'];
  expect(await pointersOf(documentOf(methods))).toEqual(unread);
  const malformed = documentOf(methods, { bogus: 1, components: 5 });
  expect(await pointersOf(malformed)).toEqual(['/bogus', '/components', ...unread]);
});

test('half a surrogate pair is refused in a member name but allowed in a string', async () => {
  const schema = { description: '\ud800', properties: { 'a\ud800': true } };
  const diagnostics = await problemsOf({ 'doc.json': documentOf([methodOf('a', schema)]) });
  expect(diagnostics.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/methods/0/params/0/schema/properties the member name "a\\ud800" has half of a surrogate pair',
  ]);
});

test.each([
  ['of the document', '#/methods/0/params/0/schema/definitions/\ud800'],
  ['of the schema', '#/definitions/\ud800'],
  ['with an identifier', 'urn:half'],
  ['of another file', 'other.json#/definitions/\ud800'],
])('a reference to a member %s named with half a surrogate pair is followed', async (_, $ref) => {
  const definitions = { '\ud800': { $id: 'urn:half', type: 'string' } };
  const schema = { definitions, properties: { a: { $ref } } };
  const components = { schemas: { Kept: { type: 'string' } } };
  const files = {
    'doc.json': documentOf([methodOf('a', schema)], { components }),
    'other.json': { definitions },
  };
  // Only the name is reported: the component of the schema has another name.
  expect((await problemsOf(files)).map(({ location }) => location.pointer)).toEqual([
    '/methods/0/params/0/schema/definitions',
  ]);
});

test('half a surrogate pair is refused in names of methods, parameters and required members', async () => {
  const half = '\ud800';
  const methods = [methodOf('a', { required: [half, half] }), { ...methodOf(half, true) }];
  const named = { ...methodOf('b', true), params: [{ name: half, schema: true }] };
  const diagnostics = await problemsOf({ 'doc.json': documentOf([...methods, named]) });
  expect(diagnostics.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/methods/0/params/0/schema/required',
    '/methods/1/name',
    '/methods/2/params/0/name',
  ]);
});

test('a pattern that is not a regular expression is reported', async () => {
  const [problem] = await problemsOf({
    'doc.json': documentOf([methodOf('a', { patternProperties: { '(': true } })]),
  });
  expect(problem?.pointer).toBe('/methods/0/params/0/schema/patternProperties/(');
});
