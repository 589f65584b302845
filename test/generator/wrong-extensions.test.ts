/** Extensions may hold any value: one of another shape than the toolchain reads must not end a command. */
import { describe, expect, test } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { cloneExact } from '../../common/json/exact.ts';
import { DocumentError } from '../../common/diagnostic.ts';
import { stripExtensions } from '../../generator/bundle/strip-extensions.ts';
import { toOpenApi } from '../../generator/convert/openapi.ts';
import { diffDocuments } from '../../generator/diff/diff.ts';
import { loadDocument, type LoadedDocument } from '../../generator/document.ts';
import { loadTargets } from '../../generator/targets/index.ts';
import { readContract } from '../../generator/verify/contract.ts';
import { DEFAULTS } from '../../bench/diff/document.ts';
import { atScale } from '../support/soak.ts';
import { lint } from './lint/lint.ts';
import { problemsOf, readerOf, type Document } from './support/document.ts';
import { renderSite } from './targets/docs/support.ts';

const text = { type: 'string' };
const schema = {
  type: 'object',
  description: 'd',
  properties: { a: text },
  patternProperties: { b: text },
  additionalProperties: text,
  required: ['a'],
  items: text,
  allOf: [text],
  enum: [1],
  definitions: { c: text },
};

/** A document with every extension that the toolchain reads. */
const document = {
  openrpc: '1.3.2',
  info: { title: 'T', version: '1.0.0' },
  servers: [{ name: 'main-http', url: 'https://h.example' }],
  methods: [
    {
      name: 'get',
      paramStructure: 'by-position',
      deprecated: true,
      params: [
        {
          name: 'a',
          required: true,
          schema: {
            ...text,
            'x-normalize': { to: 'quantity', aliases: { a: 'b' } },
            'x-gas-cap': { timesBlockGasLimit: 2 },
            'x-block': 'at',
            'x-expected': 'a text',
            'x-format': 'f',
          },
        },
        { name: 'o', schema: { type: 'object', 'x-normalize': { to: 'without-nulls' } } },
      ],
      result: { name: 'r', schema: { type: 'object' } },
      errors: [{ $ref: '#/components/errors/E' }],
      examples: [
        {
          name: 'e',
          params: [{ name: 'a', value: 'x' }],
          result: { name: 'r', value: { number: 'x' } },
          'x-network': 'mainnet',
          'x-match': 'schema',
        },
        {
          name: 'f',
          params: [{ name: 'a', value: 'y' }],
          'x-error': { code: 9, message: 'm', data: { reason: 'r' } },
          'x-setup': ['s'],
        },
      ],
      'x-credits': 2,
      'x-transports': { supported: ['http'], documented: ['http'] },
      'x-forwarding': { partner: true },
      'x-network-family': 'evm',
      'x-stability': 'stable',
      'x-deprecated-since': '2025-01-01',
      'x-sunset': '2027-01-01',
      'x-replaced-by': 'other',
      'x-not-found': 'null',
      'x-read-only': true,
      'x-idempotent': true,
      'x-match': 'exact',
      'x-immutable': { block: { param: 'a' } },
      'x-lint-ignore': [{ rule: 'method-described', reason: 'r' }],
      'x-result-cases': [{ when: { '/0': ['x', null] }, schema }],
    },
  ],
  components: { errors: { E: { code: 9, message: 'm' } } },
  'x-errors': [
    {
      name: 'bad',
      error: 'E',
      code: 9,
      reason: 'r',
      origin: 'node',
      status: 400,
      message: 'm',
      charged: true,
      retryable: true,
      cause: 'c',
      fix: 'f',
      data: schema,
    },
  ],
  'x-plans': [{ name: 'p', creditsPerDay: 1, callsPerSecond: 1, forwarding: true }],
  'x-limits': { batchCalls: 5 },
  'x-behavior': {
    batchOrder: 'request',
    costHeader: 'c',
    keyVariable: 'k',
    nodeErrorCodes: [1],
    usage: { path: '/u', used: '/u' },
    finalizedBlock: { method: 'get', params: ['x'], result: '/number' },
  },
  'x-decisions': [{ id: 'i', question: 'q', decision: 'd', methods: ['get'] }],
  'x-service-methods': [
    { name: 'm', source: 'document', summary: 's', family: 'evm', result: schema, example: {} },
  ],
  'x-extensions': [
    {
      openrpcExtension: '0.0.0-development',
      name: 'x-note',
      version: '1.0.0',
      summary: 's',
      restricted: ['methodObject'],
      schema,
    },
  ],
};

/** A member that String, Number and templates call, and cannot. */
const odd = { toString: 5, valueOf: 5 };

const VALUES: readonly unknown[] = [
  5,
  'x',
  null,
  true,
  [],
  {},
  [5],
  ['x'],
  [{}],
  odd,
  [odd],
  JSON.parse('{ "__proto__": { "a": 1 } }'),
  { $ref: '#/nowhere' },
  { type: 'object', properties: 5 },
];

/** Replaces all members of extensions at a depth, counted from the extension itself. */
function replaced(part: unknown, value: unknown, depth: number | null, target: number): unknown {
  if (depth === target) return value;
  if (typeof part !== 'object' || part === null) return part;
  const member = (key: string, each: unknown): unknown => {
    const below = depth === null ? (key.startsWith('x-') ? 0 : null) : depth + 1;
    return replaced(each, value, below, target);
  };
  if (Array.isArray(part)) return part.map((each) => member('', each));
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, member(key, each)]));
}

const DEPTHS = [0, 1, 2, 3, 4];

const targets = await loadTargets();

const load = (of: unknown) =>
  loadDocument('doc.json', readerOf({ 'doc.json': of }), { lenient: true });

const original = await load(document);

/** Does what the commands do with a document. */
async function useEverywhere(loaded: LoadedDocument): Promise<void> {
  const { model } = loaded;
  for (const target of targets) await target.render(model, { source: 'doc.json' });
  await renderSite(model);
  diffDocuments({ old: original, new: loaded }, DEFAULTS);
  diffDocuments({ old: loaded, new: original }, DEFAULTS);
  toOpenApi(model);
  stripExtensions(cloneExact(model.document));
  describeService(model);
  readContract(model, { network: 'mainnet', writes: false });
}

describe('an extension of another shape does not end a command', () => {
  const cases = VALUES.map((value, index) => {
    return [
      value,
      DEPTHS.filter((depth) => atScale(true, (depth + index) % DEPTHS.length === 0)),
    ] as const;
  });
  test.each(cases)('%j at the depths %j', async (value, depths) => {
    for (const depth of depths) {
      const changed = replaced(document, value, null, depth) as Document;
      await lint(changed, { extends: 'strict' }).catch(isReported);
      const loaded = await load(changed).catch(isReported);
      if (loaded !== undefined) await useEverywhere(loaded);
    }
  });
});

function isReported(error: unknown): undefined {
  if (!(error instanceof DocumentError)) throw error;
}

/** Places of the schemas of extensions, each given the schema. */
const PLACES: readonly (readonly [pointer: string, put: (schema: unknown) => Document])[] = [
  [
    '/methods/0/x-result-cases/0/schema',
    (put) => {
      const [method] = document.methods;
      const cases = [{ when: { '/0': ['x'] }, schema: put }];
      return { ...document, methods: [{ ...method, 'x-result-cases': cases }] };
    },
  ],
  ['/x-errors/0/data', (put) => ({ ...document, 'x-errors': [{ name: 'a', code: 1, data: put }] })],
  [
    '/x-service-methods/0/result',
    (put) => ({ ...document, 'x-service-methods': [{ name: 'a', result: put }] }),
  ],
];

describe.each(PLACES)('the schema at %s', (pointer, put) => {
  test.each([
    [{ properties: 5 }, '/properties', 'expected an object, got 5'],
    [{ items: 'x' }, '/items', 'expected an object or a boolean or an array, got "x"'],
    [{ allOf: {} }, '/allOf', 'expected an array, got an object'],
    [{ properties: { a: 5 } }, '/properties/a', 'expected an object or a boolean, got 5'],
    [{ type: { $ref: '#/openrpc' } }, '/type', /^expected .*, got an object$/],
    [{ pattern: '(' }, '/pattern', 'expected text in the format regex, got "("'],
    [{ $ref: '#/components/schemas/None' }, '', /"#\/components\/schemas\/None" does not resolve/],
    [{ items: { $ref: 'none.json' } }, '/items', /"none\.json" cannot be followed/],
  ])('%j is reported with its place', async (schemaThere, below, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await problemsOf({ 'doc.json': put(schemaThere) })).toContainEqual(
      expect.objectContaining({ pointer: pointer + below, message: expected }),
    );
  });

  test('may refer to another file', async () => {
    const files = { 'doc.json': put({ $ref: 'types.json#/Id' }), 'types.json': { Id: text } };
    const { model } = await loadDocument('doc.json', readerOf(files));
    expect(model.document).toHaveProperty(pointer.slice(1).replaceAll('/', '.'), {
      $ref: '#/components/schemas/Id',
    });
    expect([...model.schemas.keys()]).toEqual(['Id']);
    const stripped = cloneExact(model.document);
    stripExtensions(stripped);
    expect(JSON.stringify(stripped)).not.toContain('"x-');
  });
});

test('data in the rows of an extension may have a member $ref', async () => {
  const value = { $ref: 'none' };
  const row = { when: { '/0': [value] }, schema: {} };
  const [method] = document.methods;
  const { omissions } = await load({
    ...document,
    methods: [{ ...method, 'x-result-cases': [row] }],
    'x-service-methods': [{ name: 'a', result: {}, example: value }],
  });
  expect(omissions).toEqual([]);
});

test("the rows of another vendor's x-errors may hold data of any shape", async () => {
  const rows = [{ code: 1, data: { type: 'Failure', properties: 5 } }];
  expect((await load({ ...document, 'x-errors': rows })).omissions).toEqual([]);
});
