import { describe, expect, test } from 'vitest';
import type { Json } from '../../../common/json/value.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf } from './support/documents.ts';

const response = (schema: Json) => documentOf([methodOf('a', {}, schema)]);

async function firstChange(old: Json, fresh: Json) {
  const { changes } = await diffOf(response(old), response(fresh));
  const first = changes.find(({ kind }) => !kind.startsWith('version'));
  return { kind: first?.kind, severity: first?.severity, what: first?.what };
}

const tagged = (...tags: readonly string[]): Json => ({
  oneOf: tags.map((tag) => ({
    type: 'object',
    required: ['kind', tag],
    properties: { kind: { const: tag }, [tag]: { type: 'string' } },
  })),
});
const tag = (value: string): Json => ({
  oneOf: [
    { type: 'object', required: ['kind'], properties: { kind: { const: value } } },
    { type: 'null' },
  ],
});

const places: readonly (readonly [string, (schema: Json) => Json])[] = [
  ['a result', (schema) => schema],
  ['a member', (schema) => ({ type: 'object', properties: { a: schema } })],
  ['an element', (schema) => ({ type: 'array', items: schema })],
  ['members of any name', (schema) => ({ type: 'object', additionalProperties: schema })],
];

describe.each(places)('in %s', (_, at) => {
  test.each<[Json, Json, string]>([
    [{ enum: ['a'] }, { enum: ['b'] }, 'allows "b" instead of "a"'],
    [{ enum: ['a', 'b'] }, { enum: ['c', 'd'] }, 'allows "c", "d" instead of "a", "b"'],
    [{ const: 'a' }, { const: 'b' }, 'allows "b" instead of "a"'],
    [{ const: 'a' }, { enum: ['b', 'c'] }, 'allows "b", "c" instead of "a"'],
    [{ enum: [1] }, { enum: ['1'] }, 'allows "1" instead of 1'],
    [{ enum: [true] }, { enum: [false] }, 'allows false instead of true'],
    [{ enum: ['a', null] }, { enum: ['b', null] }, 'allows "b" instead of "a", null'],
    [{ enum: ['a'] }, { const: null }, 'allows null instead of "a"'],
    [{ enum: [null] }, { enum: ['a'] }, 'allows "a" instead of null'],
  ])('%j → %j breaks every caller', async (old, fresh, what) => {
    const found = await firstChange(at(old), at(fresh));
    expect(found).toEqual({ kind: 'response-value-replaced', severity: 'error', what });
  });

  test.each<[Json, Json]>([
    [{ enum: ['a'] }, { enum: ['a', 'b'] }],
    [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }],
    [{ const: 'a' }, { enum: ['a', 'b'] }],
    [{ enum: [null] }, { enum: ['a', null] }],
    [{ enum: ['a'] }, { type: 'string' }],
  ])('%j → %j adds values, which is a warning', async (old, fresh) => {
    const found = await firstChange(at(old), at(fresh));
    expect(found).toMatchObject({ kind: 'response-value-added', severity: 'warning' });
  });
});

test.each<[Json, Json]>([
  [tag('a'), tag('b')],
  [tagged('a', 'b'), tagged('c', 'd')],
  [tagged('a', 'b'), tagged('a', 'c')],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { anyOf: [{ const: 'c' }, { const: 'd' }] }],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { enum: ['c', 'd'] }],
  [{ enum: ['a', 'b'] }, { anyOf: [{ const: 'c' }, { const: 'd' }] }],
  [{ type: 'string' }, { type: 'integer' }],
  [{ type: 'string' }, { enum: [1] }],
  [{ enum: ['a'] }, { type: 'integer' }],
])('%j → %j is an error', async (old, fresh) => {
  expect((await firstChange(old, fresh)).severity).toBe('error');
});
