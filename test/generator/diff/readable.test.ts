import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../../generator/diff/report.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf } from './support/documents.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const request = (schema: unknown, schemas: object = {}) =>
  documentOf([methodOf('a', schema)], { components: { schemas } });
const response = (schema: unknown, schemas: object = {}) =>
  documentOf([methodOf('a', {}, schema)], { components: { schemas } });

/** The sentences about changes of schemas. */
async function sentencesOf(old: unknown, fresh: unknown): Promise<readonly string[]> {
  const { changes } = await diffOf(old, fresh);
  return changes
    .filter(({ kind }) => /^(?:request|response)-/.test(kind))
    .map((change) => `${change.severity} ${sentenceOf(change)}`);
}

const string = { type: 'string' };
const lists = (...names: readonly string[]) => ({
  oneOf: names.map((name, index) => ({ title: `list ${index}`, type: 'array', items: ref(name) })),
});

describe('a variant of a union', () => {
  test('that is still there, with other contents, was neither added nor removed', async () => {
    const schemas = (leaf: readonly unknown[]) => ({
      Value: { anyOf: [{ type: 'array', items: ref('Value') }, ref('Leaf')] },
      Leaf: { anyOf: leaf },
    });
    const old = response(ref('Value'), schemas([string]));
    const fresh = response(ref('Value'), schemas([string, { type: 'boolean' }]));
    expect(await sentencesOf(old, fresh)).toEqual([
      'error schema "Leaf" (a, result): the variant {"type":"boolean"} was added; true was not allowed before',
    ]);
  });

  test('that oneOf refused because of another one was not added', async () => {
    const schemas = { Hash: string, Log: { type: 'object' } };
    const old = response(lists('Hash', 'Log', 'Log'), schemas);
    const fresh = response(lists('Hash', 'Hash', 'Log'), schemas);
    const sentences = (await sentencesOf(old, fresh)).map((each) => each.replace(/; \[.*/, ''));
    expect(sentences).toEqual([
      'error a, result: the variant "list 2" now allows values that previously matched another variant too',
      'info a, result: the variant "list 0" no longer allows values that match another variant too',
    ]);
  });

  test('is named by the members that it requires', async () => {
    const by = (...names: readonly string[]) => ({
      oneOf: names.map((name) => ({
        type: 'object',
        required: [name],
        properties: { [name]: string },
        additionalProperties: false,
      })),
    });
    expect(await sentencesOf(request(by('hash', 'from')), request(by('hash')))).toEqual([
      'error a, parameter "value": the variant with from was removed; {"from":""} is no longer allowed',
    ]);
  });
});

describe('a union where there was none', () => {
  const union = { oneOf: [{ type: 'object' }, { type: 'array' }] };

  test('is a replaced type if no type is left', async () => {
    expect(await sentencesOf(request(string), request(union))).toEqual([
      'error a, parameter "value": the type changed from string to array or object; "" is no longer allowed',
    ]);
  });

  test('is a constraint like others, and removes no variant', async () => {
    const digits = { type: 'string', pattern: '^[0-9]*$' };
    const fresh = { type: 'string', oneOf: [digits, { minLength: 9, maxLength: 9 }] };
    const [first, ...more] = await sentencesOf(request(string), request(fresh));
    expect(first).toContain('fewer values are allowed (oneOf: not set → [{');
    expect(more).toEqual([]);
  });
});

test('a type that was replaced is one change, however a list of one type is written', async () => {
  const both = (type: string) =>
    documentOf([methodOf('a', { type }), methodOf('b', { type: [type] })]);
  expect(await sentencesOf(both('array'), both('string'))).toEqual([
    'error a, parameter "value": the type changed from array to string; [] is no longer allowed; the same at 1 more place (a and b)',
  ]);
});

test('a restriction of a schema without constraints is one change', async () => {
  const object = { type: 'object', required: ['id'], properties: { id: string } };
  expect(await sentencesOf(request({}), request(object))).toEqual([
    'error a, parameter "value" allows only object instead of any value; null is no longer allowed',
  ]);
  expect(await sentencesOf(response(object), response({}))).toEqual([
    'error a, result allows any value instead of object; null was not allowed before',
  ]);
});

describe('a place that refers to another component', () => {
  const schemas = { Hash: { type: 'string', maxLength: 9 }, Bytes: string };
  const block = (name: string) => ({ type: 'object', properties: { hash: ref(name) } });

  test('is named after the place, because neither component changed', async () => {
    const old = response(ref('Block'), { ...schemas, Block: block('Hash') });
    const fresh = response(ref('Block'), { ...schemas, Block: block('Bytes') });
    const { changes } = await diffOf(old, fresh);
    const change = changes.find(({ severity }) => severity === 'error');
    expect(change).toMatchObject({
      subject: 'schema "Block", .hash (a, result)',
      new: '/components/schemas/Block/properties/hash',
    });
  });

  test('is named after the place also within components that were exchanged', async () => {
    const old = { Old: block('Hash'), New: string, ...schemas };
    const fresh = {
      Old: string,
      New: { ...block('Hash'), properties: { hash: string } },
      ...schemas,
    };
    const { changes } = await diffOf(response(ref('Old'), old), response(ref('New'), fresh));
    const subjects = changes
      .filter(({ severity }) => severity === 'error')
      .map((each) => each.subject);
    expect(subjects).toEqual(['schema "New", .hash (a, result)', 'info.version']);
  });

  test('is named after the component if that was renamed', async () => {
    const old = response(block('Hash'), { Hash: schemas.Hash });
    const fresh = response(block('Text'), { Text: string });
    const [sentence] = await sentencesOf(old, fresh);
    expect(sentence).toContain('schema "Text" (a, result)');
  });
});

test('a member that only variants describe still is described', async () => {
  const plain = { type: 'object', properties: { hash: string, time: string } };
  const variants = {
    oneOf: [
      { type: 'object', required: ['hash'], properties: { hash: string } },
      { type: 'object', required: ['time'], properties: { time: string } },
    ],
  };
  const sentences = await sentencesOf(request(plain), request(variants));
  expect(sentences.join()).not.toContain('no longer described');
  expect(sentences[0]).toContain('error a, parameter "value": fewer values are allowed (oneOf:');
});

test('a union of equal variants refuses what all of them refuse', async () => {
  const object = (hash: unknown) => ({ type: 'object', properties: { hash } });
  const sentences = await sentencesOf(
    request(object({ oneOf: [string, string] })),
    request(object(string)),
  );
  expect(sentences.filter((each) => !each.startsWith('info'))).toEqual([]);
});

test('several added components and several errors of a method are one change each', async () => {
  const errors = (codes: readonly number[]) => codes.map((code) => ({ code, message: `e${code}` }));
  const document = (codes: readonly number[], schemas: object) =>
    documentOf([{ ...methodOf('a', {}), errors: errors(codes) }], { components: { schemas } });
  const { changes } = await diffOf(document([], {}), document([1, 2], { A: {}, B: {}, C: {} }));
  const sentences = changes.filter(({ kind }) => kind.endsWith('-added')).map(sentenceOf);
  expect(sentences).toEqual([
    'a declares the error 1 (e1); the same for 2 (e2)',
    'schema "A" was added; the same at 2 more places (schema "B" and schema "C")',
  ]);
});

test('a value that a variant adds to a list is named', async () => {
  const list = { type: 'string', enum: ['base58'] };
  const more = { anyOf: [list, { type: 'string', enum: ['binary'] }] };
  expect(await sentencesOf(request(list), request(more))).toEqual([
    'info a, parameter "value" also allows "binary"',
  ]);
});

test('an extension of a parameter is compared as one of its schema is', async () => {
  const document = (more: object) => {
    const method = methodOf('a', string) as { params: readonly object[] };
    return documentOf([{ ...method, params: [{ ...method.params[0], ...more }] }]);
  };
  const { changes } = await diffOf(document({}), document({ 'x-normalize': { to: 'quantity' } }));
  expect(changes[0]).toMatchObject({
    kind: 'normalization-changed',
    severity: 'warning',
    new: '/methods/0/params/0/x-normalize',
  });
});

test('a server without a name is named by its URL, once', async () => {
  const document = (...urls: readonly string[]) =>
    documentOf([], { servers: urls.map((url) => ({ url })) });
  const { changes } = await diffOf(document('http://a.example'), document('http://b.example'));
  expect(changes.slice(0, 2).map(sentenceOf)).toContain('server http://a.example was removed');
});
