import { describe, expect, test } from 'vitest';
import type { Json } from '../../../common/json/value.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf } from './support/documents.ts';

const request = (schema: Json) => documentOf([methodOf('a', schema)]);
const response = (schema: Json) => documentOf([methodOf('a', {}, schema)]);

async function found(toDocument: (schema: Json) => unknown, old: Json, fresh: Json) {
  const { changes } = await diffOf(toDocument(old), toDocument(fresh));
  return changes
    .filter(({ kind }) => !kind.startsWith('version'))
    .map(
      ({ kind, severity, subject }) =>
        `${severity} ${kind}${subject.replace(/^a, (?:result|parameter "value")/, '')}`,
    );
}

/** No object is valid: it requires a member that it refuses. */
const broken = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  required: ['lost', ...required],
  properties,
  additionalProperties: false,
});
const sound = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const text = { type: 'string' };
const number = { type: 'integer' };

type Case = readonly [name: string, old: Json, fresh: Json, request: string, response: string];

const breaks: readonly Case[] = [
  [
    'a type replaced',
    { a: text },
    { a: number },
    'error request-type-narrowed',
    'error response-type-widened',
  ],
  [
    'a member gone',
    { a: text, b: text },
    { b: text },
    'error request-property-disallowed',
    'error response-required-property-removed',
  ],
  [
    'a bound tightened, or loosened',
    { a: { maximum: 9 }, b: { minimum: 3 } },
    { a: { maximum: 8 }, b: { minimum: 2 } },
    'error request-bound-tightened',
    'error response-bound-loosened',
  ],
  [
    'values replaced',
    { a: { enum: ['x'] } },
    { a: { enum: ['y'] } },
    'error request-value-removed',
    'error response-value-replaced',
  ],
];

const places: readonly (readonly [string, (schema: Json) => Json])[] = [
  ['at the root', (schema) => schema],
  ['in a required member', (schema) => sound({ a: schema, b: text }, ['a'])],
  ['in a member', (schema) => ({ type: 'object', properties: { in: schema, b: text } })],
  ['in elements', (schema) => ({ type: 'array', items: schema })],
  ['in members of any name', (schema) => ({ type: 'object', additionalProperties: schema })],
  ['in a variant', (schema) => ({ oneOf: [{ type: 'null' }, schema] })],
  ['under a condition', (schema) => ({ if: { type: 'object' }, then: schema })],
  ['in what a list contains', (schema) => ({ type: 'array', contains: schema })],
  ['under allOf', (schema) => ({ allOf: [schema, { type: 'object' }] })],
];

describe.each(places)('a schema that allows no value, %s', (_, at) => {
  test.each(breaks)(
    '%s: breaks callers, and is reported',
    async (...[, old, fresh, asks, gets]) => {
      const [before, after] = [at(broken(old, ['a'])), at(broken(fresh, ['a']))];
      const [asked, given] = [
        await found(request, before, after),
        await found(response, before, after),
      ];
      expect(asked).toContainEqual(expect.stringContaining(asks));
      expect(asked).toContainEqual(expect.stringContaining('warning request-schema-unsatisfiable'));
      expect(given).toContainEqual(expect.stringContaining(gets));
      expect(given).toContainEqual(
        expect.stringContaining('warning response-schema-unsatisfiable'),
      );
      expect(asked.join()).not.toContain('undecided');
    },
  );
});

test('is compared with the variant that it was, wherever it has moved to', async () => {
  const old = { oneOf: [{ type: 'null' }, broken({ a: text }, ['a'])] };
  const fresh = { oneOf: [broken({ a: number }, ['a']), { type: 'null' }] };
  expect(await found(request, old, fresh)).toEqual([
    'error request-type-narrowed, .a',
    'warning request-schema-unsatisfiable',
    'info schema-rewritten',
  ]);
});

describe('a schema whose keywords come to contradict one another', () => {
  test('is an error in a parameter and in a result, at the innermost place', async () => {
    const at = (schema: Json) => sound({ a: schema }, ['a']);
    const [old, fresh] = [at(sound({ b: text })), at(broken({ b: text }))];
    const [asked, given] = [await found(request, old, fresh), await found(response, old, fresh)];
    expect(asked[0]).toBe('error request-schema-became-unsatisfiable, .a');
    expect(given[0]).toBe('error response-schema-became-unsatisfiable, .a');
    expect([...asked, ...given].filter((each) => each.includes('unsatisfiable'))).toHaveLength(2);
  });

  test('is a warning in a result that can do without it', async () => {
    const at = (schema: Json): Json => ({ type: 'object', properties: { a: schema } });
    expect(await found(response, at(sound({})), at(broken({})))).toEqual([
      'warning response-schema-unsatisfiable, .a',
      'info response-property-became-required, .a',
    ]);
  });

  test('is a warning in a variant of a result, however deep in it', async () => {
    const at = (schema: Json): Json => ({
      anyOf: [{ type: 'array' }, sound({ in: sound({ a: schema }, ['a']) }, ['in'])],
    });
    const given = await found(response, at(sound({})), at(broken({})));
    expect(given.filter((each) => !each.startsWith('info'))).toEqual([
      'warning response-schema-unsatisfiable, .in.a',
    ]);
  });

  test('is harmless in a parameter where the schemas around it refuse the value already', async () => {
    const at = (schema: Json): Json => ({
      allOf: [{ properties: { a: schema } }, { properties: { a: false } }],
    });
    const kinds = await found(request, at(sound({})), at(broken({})));
    expect(kinds).toEqual(['info schema-rewritten']);
  });
});

describe('a schema whose keywords no longer contradict one another', () => {
  test('breaks no call by itself; a result may be met that never was allowed', async () => {
    const [old, fresh] = [broken({ a: text }), sound({ a: text })];
    expect(await found(request, old, fresh)).toEqual([
      'info request-schema-became-satisfiable',
      'info request-property-became-optional',
    ]);
    const given = await found(response, old, fresh);
    expect(given).toContain('warning response-schema-became-satisfiable');
  });

  test('is compared keyword by keyword', async () => {
    const [old, fresh] = [broken({ a: text, b: text }), sound({ a: number }, ['a'])];
    const asked = await found(request, old, fresh);
    expect(asked).toContain('error request-property-disallowed');
    expect(asked).toContain('error request-property-became-required');
    expect(asked).toContain('error request-type-narrowed, .a');
    const given = await found(response, old, fresh);
    expect(given).toContain('error response-type-widened, .a');
  });

  test('is harmless where a member that was required is described now', async () => {
    const [old, fresh] = [broken({ a: text }), sound({ a: text, lost: text }, ['lost'])];
    const asked = await found(request, old, fresh);
    expect(asked.filter((each) => !each.startsWith('info'))).toEqual([]);
  });
});

test.each([[false], [{ not: {} }], [{ not: true }]])(
  'a result or a parameter that becomes %j is an error',
  async (nothing) => {
    expect(await found(response, text, nothing)).toEqual([
      'error response-schema-became-unsatisfiable',
    ]);
    const [asked] = await found(request, text, nothing);
    expect(asked).toMatch(/^error request-/);
    expect(await found(response, nothing, { not: {} })).not.toContain(
      'error response-schema-became-unsatisfiable',
    );
  },
);

test('what is meant to allow nothing is compared as before', async () => {
  const at = (schema: Json): Json => ({ type: 'object', properties: { a: schema } });
  for (const nothing of [false, { not: {} }]) {
    const given = await found(response, at(text), at(nothing));
    expect(given.filter((each) => !each.startsWith('info'))).toEqual([]);
  }
});

test('a recursive schema without an end is one that allows no value', async () => {
  const endless = (label: Json) =>
    documentOf([methodOf('a', { $ref: '#/components/schemas/Node' })], {
      components: {
        schemas: {
          Node: {
            type: 'object',
            required: ['next', 'label'],
            properties: { label, next: { $ref: '#/components/schemas/Node' } },
          },
        },
      },
    });
  const { changes } = await diffOf(endless(text), endless(number));
  expect(changes.map(({ kind }) => kind)).toContain('request-type-narrowed');
  expect(changes.map(({ kind }) => kind)).toContain('request-schema-unsatisfiable');
});
