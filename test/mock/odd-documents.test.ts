import { describe, expect, it, vi } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { startMock } from '../../src/main/mock.ts';
import type { Json } from '../../common/json/value.ts';
import { createCheck } from '../../generator/violations/create-ajv.ts';
import { makeValue } from '../../common/make-value/make-value.ts';
import { documentOf, modelOf, type Document } from '../generator/support/document.ts';

const methodWith = (name: string, schema: unknown, more: Document = {}): Document => ({
  name,
  params: [],
  result: { name: 'result', schema },
  ...more,
});

const self = (name: string): Document => ({ $ref: `#/components/schemas/${name}` });

/** What a mock of the document answers to a call of each method by HTTP, by the method's name. */
async function answersOf(
  document: Document,
  params: readonly unknown[] = [],
): Promise<Readonly<Record<string, unknown>>> {
  const service = describeService(await modelOf(document));
  const errors: unknown[] = [];
  const settings = { address: { host: '127.0.0.1', port: 0 }, seed: 's', latency_ms: 0 };
  const server = await startMock(service, settings, (error) => errors.push(error));
  try {
    const answers: Record<string, unknown> = {};
    for (const { name } of service.methods) {
      const response = await fetch(server.http, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: `of ${name}`, method: name, params }),
      });
      const { id, ...answer } = (await response.json()) as Record<string, unknown>;
      expect(id).toBe(`of ${name}`);
      answers[name] = answer['error'] ?? answer['result'];
    }
    expect(errors).toEqual([]);
    return answers;
  } finally {
    await server.stop();
  }
}

describe('a mock', () => {
  it('answers rpc.discover with the document, also where the document declares it', async () => {
    const example = { name: 'other', params: [], result: { name: 'r', value: { not: 'it' } } };
    for (const examples of [[], [example]]) {
      const document = documentOf([methodWith('rpc.discover', true, { examples })]);
      expect(await answersOf(document)).toEqual({ 'rpc.discover': document });
    }
  });

  it('answers rpc.discover without the params that a document requires of it', async () => {
    const params = [{ name: 'x', required: true, schema: { type: 'integer' } }];
    const document = documentOf([methodWith('rpc.discover', true, { params })]);
    expect(await answersOf(document)).toEqual({ 'rpc.discover': document });
  });

  it('says why no result could be made for a schema that asks for too much', async () => {
    const text = { type: 'string', minLength: 60_000 };
    const long = 'x'.repeat(60_000);
    const tooLong = 'the strings are too long';
    const itself = { type: 'object', required: ['c'], properties: { c: self('Itself') } };
    const many = { allOf: [self('Many'), self('Many')] };
    const odd = 94_906_267;
    const schemas: Readonly<Record<string, readonly [object, string]>> = {
      longText: [{ type: 'string', minLength: 100_000_000 }, tooLong],
      longTexts: [{ type: 'array', minItems: 2, items: text }, tooLong],
      repeatedConst: [{ type: 'array', minItems: 3, items: { const: long } }, tooLong],
      repeatedEnum: [{ type: 'array', minItems: 3, items: { enum: [[long]] } }, tooLong],
      longNames: [{ type: 'array', minItems: 2, items: { required: [long] } }, tooLong],
      manyItems: [{ type: 'array', minItems: 1e8 }, 'the value is too large'],
      manyMembers: [{ type: 'object', minProperties: 1e8 }, 'the value is too large'],
      fine: [
        { type: 'integer', minimum: 1e300, maximum: 1e301, multipleOf: odd },
        'minimum is too large a multiple of multipleOf',
      ],
      requiresItself: [self('Itself'), 'the value is nested too deeply'],
      isItselfTwice: [self('Many'), 'circular references'],
    };
    const document = documentOf(
      Object.entries(schemas).map(([name, [schema]]) => methodWith(name, schema)),
      { components: { schemas: { Itself: itself, Many: many } } },
    );
    const answers = await answersOf(document);
    for (const [name, [, why]] of Object.entries(schemas)) {
      const detail = `cannot generate a valid result of ${name} (${why})`;
      const fix = 'Add an example to the document.';
      expect(answers[name]).toMatchObject({ code: -32603, data: { detail, fix } });
    }
  });

  it('answers with a text of the document that is longer than the texts it makes', async () => {
    const long = 'x'.repeat(150_000);
    const document = documentOf([
      methodWith('const', { const: long }),
      methodWith('example', { type: 'string', examples: [long] }),
    ]);
    const answers = await answersOf(document);
    expect([answers['const'] === long, answers['example'] === long]).toEqual([true, true]);
  });

  it('runs no expression of a document on params without the bounds of our validators', async () => {
    const source = '^(a+)+$';
    const params = [{ name: 'p', schema: { type: 'string', pattern: source } }];
    const test = vi.spyOn(RegExp.prototype, 'test');
    const document = documentOf([methodWith('matches', { const: 1 }, { params })]);
    expect(await answersOf(document, ['aaaa'])).toMatchObject({ matches: 1 });
    const sources = test.mock.contexts.map((expression) => (expression as RegExp).source);
    test.mockRestore();
    expect(sources).not.toContain(source);
  });

  it('answers documents with a method mockMode, and with two equal `$id`s', async () => {
    const identified = { $id: 'https://example.org/same', type: 'string' };
    const params = ['a', 'b'].map((name) => ({ name, schema: identified }));
    const document = documentOf([
      methodWith('mockMode', { const: 1 }),
      methodWith('other', { const: 2 }),
      methodWith('duplicates', { const: 3 }, { params }),
    ]);
    expect(await answersOf(document)).toMatchObject({ mockMode: 1, other: 2, duplicates: 3 });
  });

  it('answers where an unknown keyword references a component', async () => {
    const deep = { $ref: '#/components/schemas/A/properties/b' };
    const schemas = { A: { properties: { b: { type: 'string' } } } };
    const document = documentOf([methodWith('a', { const: 1, unevaluatedProperties: deep })], {
      components: { schemas },
    });
    expect(await answersOf(document)).toMatchObject({ a: 1 });
  });

  it('generates a value where an example or default is invalid', async () => {
    const properties = {
      byDefault: { type: 'integer', default: 'x' },
      byExamples: { type: 'string', examples: [3, 4] },
      byExample: { type: 'boolean', example: 'yes' },
      kept: { type: 'string', default: 'as it is' },
      shown: { type: 'string', example: 'as shown' },
    };
    const whole = { type: 'object', properties, required: Object.keys(properties) };
    const document = documentOf([
      methodWith('object', whole),
      methodWith('list', { type: 'array', default: {}, minItems: 2, items: whole }),
      methodWith('merged', { allOf: [{ default: 'x' }, { type: 'integer' }] }),
      methodWith('either', {
        oneOf: [{ type: 'object', required: ['n'], properties: { n: properties.byDefault } }],
      }),
    ]);
    const made = {
      byDefault: expect.any(Number),
      byExamples: expect.any(String),
      byExample: expect.any(Boolean),
      kept: 'as it is',
      shown: 'as shown',
    };
    const { list, ...others } = await answersOf(document);
    expect(others).toMatchObject({
      object: made,
      merged: expect.any(Number),
      either: { n: expect.any(Number) },
    });
    for (const each of list as readonly unknown[]) expect(each).toEqual(made);
  });

  it('answers for a large schema that is combined with itself many times', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const allOf = Array.from({ length: 500 }, () => self('Wide'));
    const document = documentOf([methodWith('wide', { allOf, required: ['p7'] })], {
      components: { schemas: { Wide: { type: 'object', properties } } },
    });
    expect((await answersOf(document))['wide']).toHaveProperty('p7');
  });

  it('fails for schemas that are read too often', async () => {
    const many = (items: unknown) => ({ type: 'array', items, minItems: 1_900, maxItems: 1_900 });
    const values = Array.from({ length: 2_000 }, (_, index) => `v${index}`);
    const chain = Array.from({ length: 60 }, (_, index): [string, unknown] => [
      `C${index}`,
      index === 0 ? { type: 'integer' } : self(`C${index - 1}`),
    ]);
    const references = Array.from({ length: 1_000 }, () => self('C59'));
    const methods = [
      methodWith('enums', many({ allOf: [{ enum: values }, { enum: [...values] }] })),
      methodWith('references', many({ allOf: references })),
    ];
    const components = { schemas: Object.fromEntries(chain) };
    const answers = await answersOf(documentOf(methods, { components }));
    const tooMany = expect.stringMatching(/it takes too (?:many steps|much time)/);
    expect(answers).toMatchObject({
      enums: { data: { detail: tooMany } },
      references: { data: { detail: tooMany } },
    });
  });

  it('fails after few attempts for a long text that never matches its pattern', async () => {
    const long = methodWith('long', { type: 'string', pattern: '^(?!a)a{50000}$' });
    expect(await answersOf(documentOf([long]))).toMatchObject({ long: { code: -32603 } });
  });

  it('ignores keywords that do not apply to the type', async () => {
    const others = { minLength: 3, pattern: '^a$', minimum: 5, format: 'date' };
    const document = documentOf([
      methodWith('null', { ...others, type: 'null' }),
      methodWith('boolean', { ...others, type: 'boolean' }),
      methodWith('integer', { type: 'integer', pattern: '^a$', minLength: 3, maximum: -1 }),
      methodWith('string', { type: 'string', minimum: 5, multipleOf: 2, pattern: '^ab$' }),
    ]);
    const answers = await answersOf(document);
    expect(answers).toMatchObject({ null: null, boolean: expect.any(Boolean), string: 'ab' });
    expect(answers['integer']).toBeLessThanOrEqual(-1);
  });

  it.each([
    { type: 'number', multipleOf: 0.3, minimum: 1, maximum: 40 },
    { type: 'number', multipleOf: 0.01, maximum: 3 },
    { type: 'number', multipleOf: 1e-9, minimum: 0.1 },
    { type: 'number', multipleOf: 2.5, exclusiveMinimum: 5, exclusiveMaximum: 10 },
    { type: 'number', multipleOf: 0.2, minimum: 0.4, maximum: 0.4 },
    { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 1e300 },
    { type: 'number', multipleOf: 0.01, minimum: -1e300, maximum: 1e300 },
    { type: 'integer', multipleOf: 1.5, minimum: 1, maximum: 8 },
  ])('makes the same multiple of a fraction for the same seed: %j', (schema) => {
    const check = createCheck([{ id: 'a', schema }], 'a', { maxFindings: 1 });
    const validate = (value: unknown) =>
      check(value as Json).map(({ path }) => ({ pointer: path }));
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      const made = makeValue(schema, { validate }, [seed]);
      expect(made).toEqual({ value: expect.any(Number) });
      expect(makeValue(schema, { validate }, [seed])).toEqual(made);
    }
  });

  it('fails if no multiple of a fraction is within the bounds', () => {
    const schema = { type: 'number', multipleOf: 0.5, minimum: 1.1, maximum: 1.2 };
    expect(makeValue(schema, { validate: () => [] }, ['seed'])).toEqual({
      problem: 'no multiple of multipleOf found within the bounds',
    });
  });

  it('does not reuse an invalid example or default', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { default: 1 } } };
    const seen: unknown[] = [];
    const validate = (value: unknown) => {
      const { a } = value as { readonly a: unknown };
      seen.push(a);
      const violation = { param: null, keyword: 'type', expected: 'null', message: 'not null' };
      return a === null ? [] : [{ ...violation, pointer: '/a' }];
    };
    expect(makeValue(schema, { validate }, ['seed'])).toEqual({ value: { a: null } });
    expect(seen).toEqual([1, null]);
  });
});

it('each error of a document is compared with few others', async () => {
  const count = 1_000;
  const errors = Array.from({ length: count }, (_, index) => ({
    code: index + 1,
    message: `e${index}`,
  }));
  const model = await modelOf(documentOf([methodWith('many', { type: 'string' }, { errors })]));
  let reads = 0;
  const counted = model.errors.map((row) =>
    Object.defineProperty({ ...row }, 'code', { get: () => ((reads += 1), row.code) }),
  );
  const described = describeService({ ...model, errors: counted });
  expect(described.methods.find(({ name }) => name === 'many')?.errors).toHaveLength(count);
  expect(reads).toBeLessThan(20 * count);
});
