import { type Diagnostic, describeDiagnostic } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { bundleDraft, draftOf } from '../../../generator/bundle/bundle.ts';
import { readWellKnown } from '../../../generator/bundle/well-known.ts';
import { loadDocument, loadModel } from '../../../generator/document.ts';
import { valueAt } from '../../../common/json/pointer.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { findUnsound } from '../../../generator/validation/soundness.ts';
import { lint } from '../lint/lint.ts';
import { documentOf, methodOf, problemsOf, readerOf } from '../support/document.ts';

describe('meta-schemas that documents refer to are read from the installed package', () => {
  test.each([
    'https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json',
    'https://meta.open-rpc.org/',
    'https://meta.open-rpc.org',
    'http://meta.open-rpc.org/#',
  ])('%s', async ($ref) => {
    const document = documentOf([methodOf('rpc.discover', true, { $ref })]);
    const { methods, schemas } = await loadModel('doc.json', readerOf({ 'doc.json': document }));
    expect(methods[0]?.result?.schema).toEqual({ $ref: '#/components/schemas/openrpcDocument' });
    expect(schemas.get('openrpcDocument')?.schema).toMatchObject({
      required: ['info', 'methods', 'openrpc'],
      properties: { info: { $ref: '#/components/schemas/infoObject' } },
    });
    expect(schemas.get('JSONSchema')?.schema).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/JSONSchemaObject' }, { type: 'boolean' }],
    });
    for (const name of schemas.keys()) expect(name).not.toMatch(/[_\D][1-9]\d*$/);
  });

  test('an address with a million slashes is not one of them', () => {
    expect(readWellKnown(`https://meta.open-rpc.org${'/'.repeat(1_000_000)}a`)).toBeNull();
  });

  test('a definition of one', async () => {
    const $ref = 'https://meta.open-rpc.org/#/definitions/errorObject';
    const document = documentOf([methodOf('a', { $ref })]);
    const { schemas } = await loadModel('doc.json', readerOf({ 'doc.json': document }));
    expect([...schemas.keys()]).toEqual(['errorObject']);
  });

  test('from a file that the document refers to', async () => {
    const files = {
      'doc.json': documentOf([methodOf('a', { $ref: 'own.json' })]),
      'own.json': { properties: { any: { $ref: 'http://json-schema.org/draft-07/schema#' } } },
    };
    const { schemas } = await loadModel('doc.json', readerOf(files));
    expect([...schemas.keys()]).toContain('JSONSchema');
  });
});

describe('a reference that cannot be read', () => {
  const files = {
    'doc.json': documentOf([
      methodOf('a', { $ref: 'gone.json#/definitions/A', description: 'the A' }),
      methodOf('b', { $ref: 'part.json' }),
    ]),
    'part.json': { properties: { c: { $ref: 'gone.json' }, d: { type: 'string' } } },
  };

  test('is reported at its place, in the document and in its parts', async () => {
    expect((await problemsOf(files)).map(describeDiagnostic)).toEqual([
      'doc.json:15:11 #/methods/0/params/0/schema: the reference "gone.json#/definitions/A" cannot be followed: file:///docs/gone.json: file not found; correct the $ref',
      'part.json:3:5 #/properties/c: the reference "gone.json" cannot be followed: file:///docs/gone.json: file not found; correct the $ref',
    ]);
  });

  test('is replaced by a schema that allows anything, if lenient', async () => {
    const { model, omissions } = await loadDocument('doc.json', readerOf(files), {
      lenient: true,
    });
    expect(omissions.map(({ location }) => `${location.file}${location.pointer}`)).toEqual([
      'doc.json/methods/0/params/0/schema',
      'part.json/properties/c',
    ]);
    expect(model.methods[0]?.params[0]?.schema).toEqual({ description: 'the A' });
    expect(model.schemas.get('part')?.schema).toEqual({
      properties: { c: {}, d: { type: 'string' } },
    });
  });

  const parameter = documentOf([
    { name: 'a', params: [{ $ref: 'gone.json' }] },
    methodOf('b', true),
  ]);

  test('in place of a parameter leaves out the method, if lenient', async () => {
    const reader = readerOf({ 'doc.json': parameter });
    const { model, omissions } = await loadDocument('doc.json', reader, { lenient: true });
    expect(model.methods.map(({ name }) => name)).toEqual(['b']);
    expect(omissions.map(({ effect }) => effect)).toEqual(['the method "a" is left out']);
  });

  test('in place of a parameter of a method in another file is reported at its place', async () => {
    const inPart = {
      'doc.json': documentOf([{ $ref: 'method.json' }]),
      'method.json': { name: 'a', params: [{ $ref: 'gone.json' }] },
    };
    expect((await problemsOf(inPart)).map(describeDiagnostic)).toEqual([
      expect.stringMatching(
        /^method\.json.*params\/0: the reference "gone.json" cannot be followed: file:\/\/\/docs\/gone.json: file not found; correct the \$ref$/,
      ),
    ]);
  });

  test('is one lint finding anywhere, and hides no others', async () => {
    const document = documentOf([
      { name: 'a', params: [{ $ref: 'gone.json' }], result: { name: 'r', schema: true } },
      methodOf('b', { $ref: 'lost.json' }),
    ]);
    const found = (await lint(document)).filter(({ severity }) => severity === 'error');
    expect(found.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`)).toEqual([
      'reference-resolves /methods/0/params/0 the reference "gone.json" cannot be followed: file:///docs/gone.json: file not found',
      'reference-resolves /methods/1/params/0/schema the reference "lost.json" cannot be followed: file:///docs/lost.json: file not found',
    ]);
    expect(found.map(({ fix }) => fix)).toEqual(['correct the $ref', 'correct the $ref']);
  });
});

describe('a reference in a schema to a missing place of the document', () => {
  const document = documentOf(
    [
      methodOf('a', { $ref: '#/components/schemas/Nope', description: 'the A' }),
      methodOf('b', { $ref: '#/components/schemas/Round' }, { $ref: 'part.json#/gone' }),
    ],
    { components: { schemas: { Round: { $ref: '#/components/schemas/Round' } } } },
  );
  const { read } = readerOf({ 'doc.json': document, 'part.json': {} });
  const bundle = async () => bundleDraft(draftOf(parseSource(await read('doc.json'))), { read });
  const expected = [
    '/methods/0/params/0/schema: the reference "#/components/schemas/Nope" does not resolve to a JSON Schema',
    '/methods/1/params/0/schema: the reference "#/components/schemas/Round" does not resolve to a JSON Schema',
    '/methods/1/result/schema: the reference "part.json#/gone" does not resolve to a JSON Schema',
    '/components/schemas/Round: the reference "#/components/schemas/Round" does not resolve to a JSON Schema',
  ];
  const format = (diagnostics: readonly Diagnostic[]) =>
    diagnostics.map(({ location, message }) => `${location.pointer}: ${message}`).toSorted();

  test.each(['', '#', '#/methods/0/params/0/schema'])('or to itself (%j)', async ($ref) => {
    const { read } = readerOf({ 'doc.json': documentOf([methodOf('a', { $ref })]) });
    const { unresolved } = await bundleDraft(draftOf(parseSource(await read('doc.json'))), {
      read,
    });
    expect(format(unresolved)).toEqual([
      `/methods/0/params/0/schema: the reference "${$ref}" does not resolve to a JSON Schema`,
    ]);
  });

  test('is replaced by a schema that allows anything, and reported with a fix', async () => {
    const { document: bundled, unresolved } = await bundle();
    expect(new Set(unresolved.map(({ fix }) => fix))).toEqual(
      new Set(['correct the $ref, or add the schema it names']),
    );
    // What referred to the circle leads to an open schema once the circle is opened.
    const causes = expected.filter((each) => !each.startsWith('/methods/1/params'));
    expect(format(unresolved)).toEqual(causes.toSorted());
    expect(valueAt(bundled, '/methods/0/params/0/schema')).toEqual({ description: 'the A' });
    expect(valueAt(bundled, '/components/schemas/Round')).toEqual({});
    expect(findUnsound(bundled)).toEqual([]);
  });
});
