import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { briefly, complete, formatFinding, lint } from './lint.ts';

const badVersion = { info: { title: 'Test', version: 'v2' } };

describe('levels', () => {
  test('come from recommended, strict or the project', async () => {
    const document = documentOf([], badVersion);
    const levelIn = async (config: Parameters<typeof lint>[1]) =>
      (await lint(document, config)).find(({ code }) => code === 'info-version-semver')?.severity;
    expect(await levelIn({})).toBe('warning');
    expect(await levelIn({ extends: 'strict' })).toBe('error');
    expect(await levelIn({ rules: { 'info-version-semver': 'info' } })).toBe('info');
    expect(await levelIn({ rules: { 'info-version-semver': 'off' } })).toBeUndefined();
  });

  test('can include options of the rule', async () => {
    const document = complete(
      'methods: [{ name: eth_call, summary: x }, { name: trace_call, summary: x }]',
    );
    const setting = ['error', { pattern: '^eth_' }] as const;
    expect(await briefly(document, { rules: { 'method-name-pattern': setting } })).toEqual([
      'method-name-pattern /methods/1',
    ]);
  });
});

describe('rules of a project', () => {
  const custom = [
    {
      id: 'engine-timeout',
      level: 'warning',
      message: 'methods of the engine say how long they may take',
      at: '/methods/*',
      where: { properties: { name: { pattern: '^engine_' } } },
      must: { required: ['x-timeout-ms'], properties: { 'x-timeout-ms': { type: 'integer' } } },
    },
  ] as const;
  const document = complete(`
methods:
  - { name: eth_call, summary: x }
  - { name: engine_a, summary: x }
  - { name: engine_b, summary: x, x-timeout-ms: 8s }
  - { name: engine_c, summary: x, x-timeout-ms: 8 }`);

  test('validate values at a place against a schema', async () => {
    const found = await lint(document, { custom });
    expect(found.map(formatFinding)).toEqual([
      '/methods/1/x-timeout-ms: methods of the engine say how long they may take: missing',
      '/methods/2/x-timeout-ms: methods of the engine say how long they may take: expected an integer, got "8s"',
    ]);
    expect(found[0]).toMatchObject({ code: 'engine-timeout', severity: 'warning' });
  });

  test('may refer to definitions of their schema, and to nothing else', async () => {
    const [rule] = custom;
    const ms = { type: 'integer', minimum: 1 };
    const member = (reference: string) => ({ properties: { 'x-timeout-ms': { $ref: reference } } });
    const must = { definitions: { ms }, ...member('#/definitions/ms') };
    expect(await briefly(document, { custom: [{ ...rule, must }] })).toEqual([
      'engine-timeout /methods/2/x-timeout-ms',
    ]);
    for (const other of ['#/definitions/ms', '#/components/schemas/A', 'https://a.example/b']) {
      await expect(lint(document, { custom: [{ ...rule, must: member(other) }] })).rejects.toThrow(
        `the reference "${other}" does not resolve`,
      );
    }
  });

  test('are set and suppressed like built-in rules', async () => {
    expect(await briefly(document, { custom, rules: { 'engine-timeout': 'off' } })).toEqual([]);
    const entry = { rule: 'engine-timeout', reason: 'not measured yet', at: '/methods/*' };
    expect(await briefly({ ...document, 'x-lint-ignore': [entry] }, { custom })).toEqual([]);
  });

  test('follow references and report shared components once', async () => {
    const shared = { at: '/methods/*/params/*', must: { required: ['summary'] } };
    const rule = {
      id: 'param-summary',
      level: 'error',
      message: 'parameters have a summary',
      ...shared,
    } as const;
    const param = { $ref: '#/components/contentDescriptors/Id' };
    const methods = ['a', 'b'].map((name) => ({ name, summary: 'x', params: [param] }));
    const components = { contentDescriptors: { Id: { name: 'id', schema: true } } };
    expect(await briefly(documentOf(methods, { components }), { custom: [rule] })).toEqual([
      'param-summary /components/contentDescriptors/Id/summary',
    ]);
  });
});

describe('x-lint-ignore', () => {
  const ignore = (entry: object) => ({ 'x-lint-ignore': [entry] });
  const reason = 'versions are those of the product';
  const rule = 'info-version-semver';

  test('suppresses the named rule at its place and below', async () => {
    expect(await briefly(documentOf([], { ...badVersion, ...ignore({ rule, reason }) }))).toEqual(
      [],
    );
    const info = { ...badVersion.info, ...ignore({ rule, reason }) };
    expect(await briefly(documentOf([], { info }))).toEqual([]);
  });

  test('is reported and has no effect without a reason', async () => {
    const found = await briefly(
      documentOf([], { ...badVersion, ...ignore({ rule, reason: ' ' }) }),
    );
    expect(found).toEqual([`${rule} /info/version`, 'suppression-reason /x-lint-ignore/0']);
  });

  test('is reported if unused, and suggests the rule that was meant', async () => {
    const idle = await lint(documentOf([], ignore({ rule, reason })));
    expect(idle.map(formatFinding)).toEqual([`/x-lint-ignore/0: "${rule}" reports nothing here`]);
    const misspelt = { rule: 'info-version-semvr', reason };
    const [found] = await lint(documentOf([], ignore(misspelt)));
    expect(found).toMatchObject({
      message: 'unknown rule "info-version-semvr"',
      fix: `did you mean "${rule}"?`,
    });
  });

  test('is not reported for a rule that is off', async () => {
    expect(
      await briefly(documentOf([], ignore({ rule, reason })), { rules: { [rule]: 'off' } }),
    ).toEqual([]);
  });

  test('reaches an error, which may not be extended, by a pointer from above', async () => {
    const method = {
      ...methodOf('buy', true),
      summary: 'Buys.',
      errors: [{ code: -32500, message: 'Sold out' }],
    };
    const at = {
      rule: 'reserved-error-code',
      reason: 'older than the specification',
      at: '/errors/0',
    };
    expect(await briefly(documentOf([{ ...method, ...ignore(at) }]))).toEqual([]);
    const everywhere = { ...at, at: '/methods/*/errors' };
    expect(await briefly(documentOf([method], ignore(everywhere)))).toEqual([]);
  });

  test('is reported if it is not a list of entries', async () => {
    const found = await lint(documentOf([], { 'x-lint-ignore': 'all' }));
    expect(found.map(formatFinding)).toEqual(['/x-lint-ignore: not a list of {rule, reason}']);
  });

  test('needs no declaration in x-extensions', async () => {
    const extension = {
      openrpcExtension: '0.0.0-development',
      name: 'x-a',
      version: '1.0.0',
      restricted: ['methodObject'],
      schema: true,
    };
    const more = { ...badVersion, 'x-extensions': [extension], ...ignore({ rule, reason }) };
    expect(await briefly(documentOf([], more))).toEqual([]);
  });
});

describe('a document that is unsound', () => {
  test('is still linted: an unresolved reference is a finding', async () => {
    const method = { ...methodOf('a', { $ref: '#/components/schemas/None' }), summary: 'A.' };
    expect(await briefly(documentOf([method, method]))).toEqual([
      'reference-resolves /methods/0/params/0/schema',
      'reference-resolves /methods/1/params/0/schema',
      'duplicate-method /methods/1',
    ]);
  });

  test('is still linted: a reference to an unreadable file is a finding at the reference', async () => {
    const method = { ...methodOf('a', { $ref: 'shared.json#/Missing' }), summary: 'A.' };
    const [found] = await lint(documentOf([method]));
    expect(found).toMatchObject({
      code: 'reference-resolves',
      file: 'doc.json',
      pointer: '/methods/0/params/0/schema',
    });
  });

  test('is still linted without the parts that break the meta-schema', async () => {
    const broken = { ...methodOf('a', { type: 'strng', minimum: 'x' }), summary: 'A.' };
    const other = { ...methodOf('b', { $ref: '#/components/schemas/None' }), summary: 'B.' };
    expect(await briefly(documentOf([broken, 'not a method' as never, other]))).toEqual([
      'invalid-part /methods/0/params/0/schema/minimum',
      'invalid-part /methods/0/params/0/schema/type',
      'invalid-part /methods/1',
      'reference-resolves /methods/2/params/0/schema',
    ]);
  });

  test('is refused if it has no list of methods', async () => {
    const document = { openrpc: '1.3.2', info: { title: 'T', version: '1.0.0' }, methods: {} };
    await expect(lint(document)).rejects.toThrow(/#\/methods: expected an array/);
  });
});

test('a finding in another file is reported at its place there', async () => {
  const method = { ...methodOf('a', { $ref: 'types.json#/Port' }), summary: 'A.' };
  const types = { Port: { type: 'integer', minimum: 9, maximum: 1 } };
  const found = await lint(documentOf([method]), {}, { 'types.json': types });
  expect(found).toMatchObject([
    { code: 'impossible-bounds', file: 'types.json', pointer: '/Port/minimum', line: 4, column: 5 },
  ]);
});

test('a shared part is reported once, with the methods that use it', async () => {
  const examples = [{ name: 'e', params: [{ $ref: '#/components/examples/Five' }] }];
  const method = (name: string) => ({ ...methodOf(name, { type: 'string' }), examples });
  const components = { examples: { Five: { name: 'value', value: 5 } } };
  const found = await lint(documentOf(['a', 'b', 'c'].map(method), { components }));
  const invalid = found.filter(({ code }) => code === 'example-param-valid');
  expect(invalid.map(({ message, methods, pointer }) => ({ message, methods, pointer }))).toEqual([
    {
      message: '"value" in an example of "a": expected a string, got 5',
      methods: ['a', 'b', 'c'],
      pointer: '/components/examples/Five/value',
    },
  ]);
});
