import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';
import { atScale } from '../../support/soak.ts';

describe('a union of schemas that contain themselves', () => {
  const branch = (op: string) => ({
    type: 'object',
    required: ['left', 'op'],
    properties: { left: { $ref: '#/components/schemas/Tree' }, op: { const: op } },
  });
  const tree = (depth: number): unknown =>
    Array.from({ length: depth }).reduce<unknown>((left) => ({ left, op: '-' }), 1);
  // Each level of a value doubles the work.
  const document = documentOf([methodOf('m', { $ref: '#/components/schemas/Tree' })], {
    components: { schemas: { Tree: { oneOf: [branch('+'), branch('-'), { type: 'number' }] } } },
  });

  test('validates a value of moderate depth', async () => {
    const { validateParams } = await validatorsOf(document);
    expect(validateParams['m']!([tree(12)])).toEqual([]);
  });

  test('rejects a value that would take too many steps', async () => {
    const { validateParams } = await validatorsOf(document);
    expect(validateParams['m']!([tree(60)])).toMatchObject([
      {
        keyword: 'complexity',
        message: 'value: expected a value that takes fewer steps to validate, got an object',
      },
    ]);
    expect(validateParams['m']!([1])).toEqual([]);
  });

  test('validates many small values in one list', async () => {
    const { validateParams } = await validatorsOf(
      documentOf([methodOf('m', { items: { $ref: '#/components/schemas/Tree' } })], {
        components: document.components,
      }),
    );
    const values = Array.from({ length: 100_000 }, () => tree(3));
    expect(validateParams['m']!([values])).toEqual([]);
  });
});

describe('a schema with very many keywords for each of many values', () => {
  const COUNT = 1_000;
  const times = (make: (index: number) => unknown): unknown[] =>
    Array.from({ length: COUNT }, (_, index) => make(index));
  const names = times((index) => `k${index}`);
  const many = (value: unknown): unknown[] => Array.from({ length: 60_000 }, () => value);

  async function check(schema: unknown, value: unknown) {
    const { validateParams } = await validatorsOf(documentOf([methodOf('m', schema)]));
    return validateParams['m']!([value]).map(({ keyword }) => keyword);
  }

  const cases: readonly (readonly [string, object, unknown])[] = [
    ['branches', { items: { anyOf: times((i) => ({ minimum: COUNT - i })) } }, many(1)],
    ['required names', { items: { anyOf: [{ required: names }, { type: 'object' }] } }, many({})],
    ['conditions', { items: { allOf: times((i) => ({ if: { minLength: i + 1 } })) } }, many('')],
    ['types', { items: { allOf: times(() => ({ type: ['string', 'null'] })) } }, many(null)],
    ['lists of elements', { allOf: times(() => ({ items: { type: 'null' } })) }, many(null)],
    [
      'lists of members',
      { allOf: times(() => ({ additionalProperties: { type: 'null' } })) },
      Object.fromEntries(many(null).map((each, index) => [index, each])),
    ],
    [
      'lengths',
      { items: { allOf: times((i) => ({ maxLength: 9_999 + i })) } },
      many('x'.repeat(9_000)),
    ],
  ];

  test.each(cases.filter(([name]) => atScale(true, name !== 'lengths')))(
    'rejects a value that would take too many steps: %s',
    async (_, schema, value) => {
      expect(await check(schema, value)).toEqual(['complexity']);
    },
  );

  test('looks up a value in a long enumeration', async () => {
    const wide = times((index) => [index, [index], `${index}`]).flat();
    const values = [999, '999', [999], many([999]).length];
    expect(await check({ items: { enum: wide } }, values)).toEqual(['enum']);
    expect(await check({ items: { enum: wide } }, many(999))).toEqual([]);
  });

  test('validates a few hundred values in spite of that', async () => {
    const schema = { items: { anyOf: times((index) => ({ const: index })) } };
    expect(
      await check(
        schema,
        names.slice(0, 400).map((_, index) => index),
      ),
    ).toEqual([]);
  });
});
