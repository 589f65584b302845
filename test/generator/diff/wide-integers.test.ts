import { describe, expect, test } from 'vitest';
import { toJson } from '../../../generator/diff/report.ts';
import { toJsonText } from '../../../bin/commands/verb.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn, toLoaded } from './support/documents.ts';

// ECMAScript proposal "JSON.parse source text access", not yet in TypeScript's declarations.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

const [two53, next] = [rawJSON('9007199254740992'), rawJSON('9007199254740993')];

const paramOf = (schema: object) => documentOf([methodOf('a', schema)]);

const kindsOf = async (old: object, fresh: object) =>
  kindsIn(await diffOf(paramOf(old), paramOf(fresh)));

describe('integers beyond 2^53 are compared with all their digits', () => {
  const wide = { type: 'integer' };

  test.each<[string, object, object, readonly string[]]>([
    ['a constant', { const: next }, { const: two53 }, ['value-removed', 'value-added']],
    [
      'a value of a list',
      { enum: [1, next] },
      { enum: [1, two53] },
      ['value-removed', 'value-added'],
    ],
    [
      'a value in a constant',
      { const: { a: [next] } },
      { const: { a: [two53] } },
      ['value-removed', 'value-added'],
    ],
    [
      'a maximum that no double lies between',
      { ...wide, maximum: rawJSON('18446744073709551615') },
      { ...wide, maximum: rawJSON('18446744073709551000') },
      ['bound-tightened'],
    ],
    ['a minimum', { ...wide, minimum: next }, { ...wide, minimum: two53 }, ['bound-loosened']],
    [
      'an exclusive maximum of numbers',
      { type: 'number', exclusiveMaximum: next },
      { type: 'number', exclusiveMaximum: two53 },
      ['bound-tightened'],
    ],
    [
      'a factor',
      { ...wide, multipleOf: next },
      { ...wide, multipleOf: two53 },
      ['multiple-of-tightened', 'multiple-of-loosened'],
    ],
  ])('%s', async (_, old, fresh, kinds) => {
    expect(await kindsOf(old, fresh)).toEqual(kinds.map((kind) => `request-${kind}`));
    expect(await kindsOf(old, old)).toEqual([]);
  });

  test('a default', async () => {
    const { changes } = await diffOf(
      paramOf({ ...wide, default: next }),
      paramOf({ ...wide, default: two53 }),
    );
    expect(changes.map(({ kind, what }) => [kind, what])).toContainEqual([
      'param-default-changed',
      'defaults to 9007199254740992 instead of 9007199254740993',
    ]);
  });

  test('an example of a schema, an extension and an example of a method', async () => {
    expect(await kindsOf({ examples: [next] }, { examples: [two53] })).toEqual([
      'schema-docs-changed',
    ]);
    expect(await kindsOf({ 'x-a': next }, { 'x-a': two53 })).toEqual(['schema-extension-changed']);
    const withExample = (value: object) => {
      const examples = [{ name: 'e', params: [{ name: 'p', value }] }];
      return documentOf([{ ...methodOf('a', {}), examples }]);
    };
    expect(kindsIn(await diffOf(withExample(next), withExample(two53)))).toEqual([
      'example-changed',
    ]);
  });

  test('but not by how they are written', async () => {
    const digits = rawJSON('100000000000000000000');
    expect(await kindsOf({ const: 1e20 }, { const: digits })).toEqual([]);
    expect(await kindsOf({ enum: [{ a: 1e20 }, next] }, { enum: [next, { a: digits }] })).toEqual(
      [],
    );
  });

  test('and equivalent bounds are found', async () => {
    const old = { ...wide, minimum: next };
    expect(await kindsOf(old, { ...wide, exclusiveMinimum: two53 })).toEqual(['schema-rewritten']);
  });

  test('and printed in the JSON report', async () => {
    const [old, fresh] = [paramOf({ ...wide, maximum: next }), paramOf({ ...wide, maximum: 5 })];
    const documents = { old: await toLoaded(old), new: await toLoaded(fresh) };
    const text = toJsonText(toJson(await diffOf(old, fresh), documents, []));
    expect(text).toContain('"before": 9007199254740993');
  });
});
