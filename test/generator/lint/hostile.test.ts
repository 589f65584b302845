import { describe, expect, test } from 'vitest';
import { atScale } from '../../support/soak.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { briefly, lint, lintBy } from './lint.ts';

describe('the linter terminates on a hostile document with', () => {
  test('a pattern that backtracks without end, and a value to try it on', async () => {
    const hostile = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` };
    const found = await briefly(documentOf([{ ...methodOf('a', hostile), summary: 'A.' }]));
    expect(found).toEqual(
      expect.arrayContaining([
        'pattern-backtracking /methods/0/params/0/schema/pattern',
        'default-valid /methods/0/params/0/schema/default',
      ]),
    );
  });

  test.each([
    ['repetitions one after the other', 'a*'.repeat(30)],
    ['more of them than are read', '(a|b)*'.repeat(3000)],
  ])('a pattern with %s', async (_, pattern) => {
    const hostile = { type: 'string', pattern: `^${pattern}$`, default: `${'a'.repeat(60)}!` };
    const found = await lintBy('default-valid', documentOf([methodOf('a', hostile)]));
    expect(found).toHaveLength(1);
  });

  test('many patterns that backtrack without end', async () => {
    const methods = Array.from({ length: 60 }, (_, index) =>
      methodOf(`m${index}`, { type: 'string', pattern: `^(${'a'.repeat(index + 1)}+)+$` }),
    );
    const found = await lintBy('pattern-backtracking', documentOf(methods));
    expect(found.length).toBeLessThan(30);
    expect(found.at(-1)).toMatch(/were not tried: those before took too long$/);
  });

  test.each(['method-name-pattern', 'param-name-pattern'])(
    'a project whose %s backtracks without end',
    async (rule) => {
      const name = `${'a'.repeat(60)}!`;
      const method = { ...methodOf(name, true), params: [{ name, schema: true }] };
      const config = { rules: { [rule]: ['error', { pattern: '^(a+)+$' }] } } as const;
      const found = await briefly(documentOf([method]), config);
      expect(found.some((each) => each.startsWith(`${rule} `))).toBe(true);
    },
  );

  test('schemas that refer to themselves', async () => {
    const schemas = {
      A: { $ref: '#/components/schemas/B' },
      B: { $ref: '#/components/schemas/A' },
      C: { allOf: [{ $ref: '#/components/schemas/C' }], default: 1 },
      D: {
        anyOf: [{ $ref: '#/components/schemas/D' }],
        not: { $ref: '#/components/schemas/D' },
        default: {},
      },
    };
    const refs = Object.keys(schemas).map((key) => ({ $ref: `#/components/schemas/${key}` }));
    const found = await briefly(
      documentOf([methodOf('a', { anyOf: refs })], { components: { schemas } }),
    );
    expect(found).toContain('reference-resolves /components/schemas/A');
    expect(found).toContain('infinite-schema /components/schemas/C');
  });

  test('names that every object inherits', async () => {
    const schema = {
      type: 'object',
      required: ['constructor', '__proto__'],
      properties: JSON.parse(
        '{"constructor": {"type": "string"}, "__proto__": {"type": "string"}}',
      ) as object,
      default: JSON.parse('{"constructor": "a", "__proto__": "b"}') as object,
    };
    expect(await briefly(documentOf([{ ...methodOf('toString', schema), summary: 'A.' }]))).toEqual(
      [],
    );
  });
});

const METHODS = atScale(1000, 200);

test(`${METHODS} methods with examples are linted`, async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [
      `Type${i}`,
      {
        type: 'object',
        properties: {
          a: { type: 'string', pattern: '^[a-z]+$' },
          next: { $ref: `#/components/schemas/Type${(i * 7 + 1) % 200}` },
        },
      },
    ]),
  );
  const methods = Array.from({ length: METHODS }, (_, i) => ({
    ...methodOf(`method_${i}`, { $ref: `#/components/schemas/Type${i % 200}` }, true),
    summary: 'One of many.',
    examples: [
      {
        name: 'a',
        params: [{ name: 'value', value: { a: 'x', next: { a: 'y' } } }],
        result: { name: 'r', value: 1 },
      },
      {
        name: 'b',
        params: [{ name: 'value', value: { a: 'X' } }],
        result: { name: 'r', value: 1 },
      },
    ],
  }));
  const found = await lint(documentOf(methods, { components: { schemas } }));
  expect(found).toHaveLength(METHODS);
});
