import { describeDiagnostic } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf, modelOf, problemsOf, type Document } from '../support/document.ts';

const declare = (name: string, schema: unknown, restricted: readonly string[] = []) => ({
  openrpcExtension: '0.0.0-development',
  name,
  version: '1.0.0',
  restricted,
  schema,
});

const row = { code: -32602, reason: 'invalid_params', name: 'InvalidParams', error: 'BadParams' };
const components = { errors: { BadParams: { code: -32602, message: 'invalid params' } } };

const rows = {
  type: 'array',
  items: {
    type: 'object',
    required: ['code', 'reason'],
    properties: { code: { type: 'integer' }, reason: { type: 'string' } },
  },
};

async function messagesFor(document: Document): Promise<readonly string[]> {
  const diagnostics = await problemsOf({ 'doc.json': document });
  return diagnostics.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('a declared extension is validated against its schema everywhere', () => {
  const cost = declare('x-cost', { type: 'integer', minimum: 0 });
  const method = methodOf('a', { type: 'string' });
  const withCost = (more: Document, methods: readonly Document[] = [method]) =>
    documentOf(methods, { 'x-extensions': [cost], ...more });

  test.each<[string, Document, string]>([
    ['the document', withCost({ 'x-cost': -1 }), '/x-cost'],
    ['info', withCost({ info: { title: 'T', version: '1', 'x-cost': 'x' } }), '/info/x-cost'],
    ['a method', withCost({}, [{ ...method, 'x-cost': -1 }]), '/methods/0/x-cost'],
    [
      'a parameter’s schema',
      withCost({}, [methodOf('a', { type: 'string', 'x-cost': -1 })]),
      '/methods/0/params/0/schema/x-cost',
    ],
    [
      'a component schema below a property',
      withCost({ components: { schemas: { S: { properties: { p: { 'x-cost': null } } } } } }),
      '/components/schemas/S/properties/p/x-cost',
    ],
    [
      'an example pairing',
      withCost({}, [{ ...method, examples: [{ name: 'e', params: [], 'x-cost': [] }] }]),
      '/methods/0/examples/0/x-cost',
    ],
    [
      'the schema of an error’s data',
      withCost({ 'x-errors': [{ name: 'E', code: 1, data: { 'x-cost': -1 } }] }),
      '/x-errors/0/data/x-cost',
    ],
  ])('%s', async (_, document, pointer) => {
    const diagnostics = await problemsOf({ 'doc.json': document });
    expect(diagnostics.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(describeDiagnostic(diagnostics[0]!)).toMatch(
      /^doc\.json:\d+:\d+ #\S+: expected .*, got .*; make it .*$/,
    );
  });

  test('data, names that look like extensions, and undeclared extensions are not validated', async () => {
    const document = withCost(
      {
        'x-other': { 'x-cost': 'free' },
        'x-cost': 3,
        components: { schemas: { 'x-cost': { properties: { 'x-cost': { type: 'string' } } } } },
      },
      [methodOf('a', { default: { 'x-cost': 'data' }, enum: [{ 'x-cost': 'data' }] })],
    );
    await expect(modelOf(document)).resolves.toBeDefined();
  });

  test('its schema may refer to its own definitions and to component schemas', async () => {
    const schema = {
      type: 'array',
      items: { $ref: '#/definitions/One' },
      definitions: { One: { anyOf: [{ $ref: '#/components/schemas/S' }, { type: 'null' }] } },
    };
    const document = documentOf([method], {
      components: { schemas: { S: { type: 'string' } } },
      'x-extensions': [declare('x-a', schema)],
      'x-a': ['one', null, 3],
    });
    expect(await messagesFor(document)).toEqual([
      expect.stringMatching(/^\/x-a\/2 expected .*, got 3$/),
    ]);
  });

  test('an unusable schema is reported at its place', async () => {
    const document = documentOf([], {
      'x-extensions': [declare('x-a', { $ref: '#/definitions/None' })],
    });
    expect(await messagesFor(document)).toEqual([
      '/x-extensions/0/schema the schema of x-a cannot be used: the reference "#/definitions/None" does not resolve',
    ]);
  });
});

describe('the schema of an extension', () => {
  test('runs no code', async () => {
    const code = '(globalThis.ranExtension = true, false)';
    const evil = { 'x-evil': { type: ['string', `x" || ${code} || "`] } };
    const document = documentOf([{ ...methodOf('a', { type: 'string' }), 'x-a': 's' }], {
      'x-extensions': [
        declare('x-a', { $ref: '#/definitions/x-b/x-evil' }, ['methodObject']),
        declare('x-b', evil, ['methodObject']),
      ],
    });
    // Whether a reference to an unknown keyword is an error does not matter.
    await messagesFor(document).catch(() => []);
    expect(globalThis).not.toHaveProperty('ranExtension');
  });

  test('must be a schema', async () => {
    const document = documentOf([], { 'x-extensions': [declare('x-a', { type: 'text' })] });
    expect(await messagesFor(document)).toEqual([
      expect.stringMatching(/^\/x-extensions\/0\/schema\/type expected .*, got "text"$/),
    ]);
  });
});

test('an extension declared for one kind of object is refused on others', async () => {
  const cost = declare('x-cost', { type: 'integer' }, ['methodObject', 'tagObject']);
  const document = documentOf(
    [
      {
        ...methodOf('a', { type: 'string', 'x-cost': 1 }),
        'x-cost': 2,
        tags: [{ name: 't', 'x-cost': 3 }],
        examples: [{ name: 'e', params: [{ name: 'value', value: { 'x-cost': 'data' } }] }],
      },
    ],
    { 'x-extensions': [cost], 'x-cost': 4, components: { schemas: { S: { 'x-cost': 5 } } } },
  );
  const instead = 'only on methodObject or tagObject';
  expect([...(await messagesFor(document))].toSorted()).toEqual([
    `/components/schemas/S/x-cost x-cost is not allowed on JSONSchema, ${instead}`,
    `/methods/0/params/0/schema/x-cost x-cost is not allowed on JSONSchema, ${instead}`,
    `/x-cost x-cost is not allowed on openrpcDocument, ${instead}`,
  ]);
});

test.each<[unknown, string]>([
  [5, '/x-extensions expected an array, got 5'],
  [[5], '/x-extensions/0 expected an object, got 5'],
  [{}, '/x-extensions expected an array, got an object'],
  [[{ ...declare('x-a', true), restricted: 5 }], '/x-extensions/0/restricted expected an array'],
])('x-extensions: %j is reported', async (extensions, start) => {
  const lines = await messagesFor(documentOf([], { 'x-extensions': extensions }));
  expect(lines).toEqual([expect.stringContaining(start)]);
});

describe('constraints beyond the schemas of the service’s extensions', () => {
  const service = (value: unknown) =>
    documentOf([], { components, 'x-extensions': [declare('x-errors', rows)], 'x-errors': value });

  test.each<[string, Document, string]>([
    ['rows that are not a list', service(5), '/x-errors expected an array, got 5'],
    ['a row of another shape', service([{ foo: 1, code: 1 }]), '/x-errors/0/reason missing'],
    [
      'a code that is text',
      service([{ ...row, code: 'x' }]),
      '/x-errors/0/code expected an integer, got "x"',
    ],
    [
      'two rows of one code and reason',
      service([row, { ...row, name: 'Other' }]),
      '/x-errors/1/reason duplicate row: the code -32602 and the reason "invalid_params" are already used',
    ],
    [
      'a row of a missing error',
      service([{ ...row, error: 'None' }]),
      '/x-errors/0/error components.errors has no error "None"',
    ],
    [
      'a row of an error with another code',
      service([{ ...row, code: -1 }]),
      '/x-errors/0/error "BadParams" has the code -32602, but this row has -1',
    ],
  ])('%s', async (_, document, line) => {
    expect(await messagesFor(document)).toEqual([line]);
  });

  test('rows with one code and several reasons are valid', async () => {
    const model = await modelOf(service([row, { ...row, reason: 'other', name: 'Other' }]));
    expect(model.errors).toHaveLength(2);
  });
});

test('An extension that cannot be applied is reported, also if its name has line breaks', async () => {
  for (const name of ['x-one', 'x-on\ne', 'x-\n-----\ne']) {
    const document = documentOf([], { 'x-extensions': [declare(name, {}, ['noObject'])] });
    expect(await messagesFor(document)).toEqual([
      `/x-extensions noObject does not exist, cannot apply extension ${name}`,
    ]);
  }
});

test('the name of an extension need not be part of a URI', async () => {
  for (const name of ['a b:c', 'x-%', 'x-a#b/~c', 'x-\ud800']) {
    const document = documentOf([{ name: 5, params: [] }], {
      'x-extensions': [declare(name, {}, ['methodObject'])],
    });
    expect(await messagesFor(document)).toContain('/methods/0/name expected a string, got 5');
  }
});
