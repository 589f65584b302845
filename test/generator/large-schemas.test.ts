import type { AnyValidateFunction } from 'ajv/dist/core.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject, Schema } from '../../common/json/value.ts';
import { validateBounded } from '../../common/validators-runtime/helpers.js';
import type { CompiledValidator } from '../../common/validators-runtime/violations.js';
import { createAjv } from '../../generator/violations/create-ajv.ts';
import { documentOf, methodOf } from './support/document.ts';
import { validatorsOf } from './support/render.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, schema: Schema, prefix = 'p') =>
  Object.fromEntries(many(count, (index) => [`${prefix}${index}`, schema]));

const text = { type: 'string' };

/** Parts of a schema: enough that all variables of one function would use up the stack in 40 levels. */
const PARTS = 1_500;
const LEVELS = 40;

/** Returns a schema that contains itself. */
const recursive = (wide: JsonObject, self: string): JsonObject => ({
  allOf: [wide, { properties: { next: { $ref: self } } }],
});

const nested = many(LEVELS, () => 0).reduce<JsonObject>((next) => ({ next }), { end: 1 });

const wide: readonly (readonly [string, JsonObject])[] = [
  ['patterns', { patternProperties: named(PARTS, text, '^p') }],
  [
    'branches of anyOf',
    { anyOf: [...many(PARTS, (index) => ({ const: index })), { type: 'object' }] },
  ],
  ['branches of oneOf', { oneOf: [...many(PARTS, () => text), { type: 'object' }] }],
  ['elements', { items: many(PARTS, (index) => ({ const: index })) }],
  ['properties', { properties: named(PARTS, { items: text }) }],
  ['dependencies', { dependencies: named(PARTS, { items: text }) }],
  ['parts of allOf', { allOf: many(PARTS, () => ({ items: text })) }],
  ['nested properties', { properties: named(40, { properties: named(40, { items: text }) }) }],
];

test.each(wide)('a nested value is validated by a schema of very many %s', (_, schema) => {
  const input = { id: 'whole', schema: recursive(schema, 'whole') };
  const validate = createAjv([input]).getSchema('whole');
  expect(validateBounded(validate as CompiledValidator, nested)).toBeNull();
});

test.each([
  [1, 12_000],
  [600, 300],
])('%i lists of dependencies with %i names each are data in a validator', (lists, length) => {
  const required = many(length, (index) => `name${index}`);
  const schema = {
    dependencies: Object.fromEntries(many(lists, (index) => [`p${index}`, required])),
  };
  const input = { id: 'whole', schema };
  const validate = createAjv([input], { code: { source: true } }).getSchema('whole');
  const { validateCode } = (validate as AnyValidateFunction).source!;
  expect(String(validateCode).length).toBeLessThan(5_000);
  const [first = ''] = Object.keys(schema.dependencies);
  const errors = validateBounded(validate as CompiledValidator, { [first]: 1, name1: 1 });
  expect(errors).toHaveLength(length - 1);
  expect(errors![1]).toMatchObject({
    instancePath: '',
    schemaPath: 'whole#/dependencies',
    keyword: 'dependencies',
    params: { property: first, missingProperty: 'name2' },
  });
});

test('generated validators of such schemas work too', async () => {
  const self = '#/components/schemas/Wide';
  const components = { schemas: { Wide: recursive(wide[0]![1], self) } };
  const document = documentOf([methodOf('m', { $ref: self })], { components });
  const { validateParams } = await validatorsOf(document);
  expect(validateParams['m']!([nested])).toEqual([]);
  expect(validateParams['m']!([{ p5: 1 }])).toMatchObject([
    { message: 'value.p5: expected a string, got 1' },
  ]);
});

const parts: readonly JsonObject[] = [
  { anyOf: [text, { type: 'array', items: { minimum: 2 } }, { required: ['a', 'c'] }] },
  { oneOf: [text, { minLength: 1 }, { maximum: 2 }, { const: { a: 1 } }] },
  {
    allOf: [
      { items: text },
      { maxItems: 1 },
      { contains: { const: 1 } },
      { propertyNames: { maxLength: 1 } },
    ],
  },
  { items: [text, { minimum: 2 }], additionalItems: text },
  { properties: { a: text, b: { properties: { a: text } } }, additionalProperties: { minimum: 2 } },
  {
    patternProperties: { '^a': text, b: { items: text } },
    dependencies: { a: ['b'], b: { required: ['c'] } },
  },
  { if: text, then: { maxLength: 1 }, else: { not: { type: 'null' } } },
];
const key = fc.constantFrom('a', 'b', 'ab', 'c');
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>('', 'a', 'aa', 1, 2, 3, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test('a large schema reports the same errors as a small one', () => {
  const small: JsonObject = {
    allOf: parts,
    properties: { a: { anyOf: parts }, b: { oneOf: parts } },
    items: { oneOf: parts },
  };
  // Parts that apply to no value.
  const large = { ...small, definitions: named(1_000, text) };
  const [one, other] = [small, large].map(
    (schema) => createAjv([{ id: 'same', schema }]).getSchema('same') as CompiledValidator,
  );
  fc.assert(
    fc.property(value, (each) => {
      expect(validateBounded(other!, each)).toEqual(validateBounded(one!, each));
    }),
    { numRuns: 1_000, seed: 20_260_101 },
  );
});
