import { describe, expect, test } from 'vitest';
import { SchemaReader } from '../../../docs-site/browser/try-it/schema/reader.ts';
import type { Schema } from '../../../docs-site/browser/try-it/schema/schema.ts';
import type { Shape } from '../../../docs-site/browser/try-it/schema/shape.ts';

const components: Readonly<Record<string, Schema>> = {
  Tag: { type: 'string', enum: ['latest', 'safe'] },
  Number: { type: 'string', pattern: '^0x[0-9a-f]+$' },
  Tree: {
    type: 'object',
    required: ['left'],
    properties: { left: { $ref: '#/components/schemas/Tree' }, size: { type: 'integer' } },
  },
  Loop: { $ref: '#/components/schemas/Loop' },
};
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const reader = new SchemaReader(components);
const shapeOf = (schema: Schema): Shape => reader.shape(reader.flatten(schema));

describe('the control a schema gets', () => {
  test.each<[string, Schema, Partial<Shape>]>([
    ['an enumeration', ref('Tag'), { kind: 'choice', choices: ['latest', 'safe'] }],
    ['a constant', { const: 'x' }, { kind: 'choice', choices: ['x'] }],
    ['null', { type: 'null' }, { kind: 'choice', choices: [null] }],
    ['a boolean', { type: 'boolean' }, { kind: 'switch' }],
    ['a text', ref('Number'), { kind: 'scalar', takesText: true, takesNumber: false }],
    ['a number', { type: ['integer', 'number'] }, { kind: 'scalar', takesNumber: true }],
    [
      'a block number or tag',
      { oneOf: [ref('Number'), ref('Tag')] },
      { kind: 'scalar', offers: ['latest', 'safe'], takesText: true },
    ],
    [
      'a number or its digits, or null',
      { type: ['string', 'integer', 'null'] },
      { kind: 'scalar', offers: [null], takesText: true, takesNumber: true },
    ],
    ['a flag or a tag', { anyOf: [{ type: 'boolean' }, ref('Tag')] }, { kind: 'choice' }],
    ['anything', true, { kind: 'json' }],
    ['what leads to itself', ref('Loop'), { kind: 'json' }],
    [
      'a tuple',
      { items: [{ type: 'string' }, { type: 'boolean' }], additionalItems: false },
      { kind: 'list', rest: false },
    ],
    [
      'a list with bounds',
      { type: 'array', items: ref('Tag'), minItems: 1, maxItems: 4 },
      { kind: 'list', minItems: 1, maxItems: 4 },
    ],
  ])('of %s', (_name, schema, shape) => {
    expect(shapeOf(schema)).toMatchObject(shape);
  });

  test('of alternatives that are objects is a tab each, with what holds for all of them', () => {
    const shape = shapeOf({
      description: 'one of two',
      oneOf: [
        { title: 'By size', type: 'object', required: ['size'], properties: { size: {} } },
        { type: 'object', required: ['bytes'], properties: { bytes: {} } },
      ],
    });
    expect(shape).toMatchObject({
      kind: 'union',
      variants: [{ title: 'By size' }, { title: 'bytes' }],
    });
  });

  test('of an object is not torn apart by alternatives that only ask for members', () => {
    const shape = shapeOf({
      type: 'object',
      properties: { to: { type: 'string' }, data: { type: 'string' } },
      anyOf: [{ required: ['to'] }, { required: ['data'], properties: { to: { type: 'null' } } }],
    });
    expect(shape).toMatchObject({ kind: 'object', members: [{ name: 'to' }, { name: 'data' }] });
  });

  test('of what is put together by allOf has the members of all parts', () => {
    const shape = shapeOf({
      allOf: [ref('Tree'), { required: ['name'], properties: { name: { type: 'string' } } }],
      additionalProperties: false,
    });
    expect(shape).toMatchObject({
      kind: 'object',
      others: false,
      members: [
        { name: 'left', isRequired: true },
        { name: 'size', isRequired: false },
        { name: 'name', isRequired: true },
      ],
    });
  });
});

describe('a value', () => {
  test('starts as its default, its first choice or what is required of it', () => {
    expect(reader.initial({ default: 7, type: 'integer' })).toBe(7);
    expect(reader.initial(ref('Tag'))).toBe('latest');
    expect(reader.initial({ type: 'integer' })).toBe(undefined);
    expect(
      reader.initial({
        required: ['on', 'list'],
        properties: { on: { type: 'boolean' }, list: { type: 'array', items: true }, off: {} },
      }),
    ).toEqual({ on: false, list: [] });
  });

  test('that would have to hold itself for ever ends', () => {
    expect(JSON.stringify(reader.initial(ref('Tree'))).length).toBeLessThan(1000);
  });

  test('goes under the tab whose form it looks like', () => {
    const filters = reader.flatten({
      oneOf: [
        {
          type: 'object',
          required: ['dataSize'],
          properties: { dataSize: { type: 'integer' } },
          additionalProperties: false,
        },
        {
          type: 'object',
          required: ['memcmp'],
          properties: { memcmp: { type: 'object' } },
          additionalProperties: false,
        },
        { type: 'array', items: { type: 'string' } },
        { type: 'null' },
      ],
    });
    const shape = reader.shape(filters);
    if (shape.kind !== 'union') throw new Error('no union');
    const tabs = [{ dataSize: 1 }, { memcmp: {} }, ['a'], null].map((value) =>
      reader.variantOf(shape, value),
    );
    expect(tabs).toEqual([0, 1, 2, 3]);
  });
});

describe('schemas that refer to each other from several places', () => {
  const LEVELS = 40;
  /** Components of which each is made of the next one twice. */
  const doubled = (make: (next: Schema) => Schema, last: Schema): Record<string, Schema> =>
    Object.fromEntries(
      Array.from({ length: LEVELS }, (_, index) => [
        `C${index}`,
        index === LEVELS - 1 ? last : make(ref(`C${index + 1}`)),
      ]),
    );
  const members = (schema: Schema): Schema => ({
    type: 'object',
    required: ['a', 'b', 'c', 'd'],
    properties: { a: schema, b: schema, c: schema, d: schema },
  });
  const nested = (levels: number): Schema =>
    levels === 0 ? { type: 'integer' } : { type: 'array', minItems: 9, items: nested(levels - 1) };

  test.each<[string, Record<string, Schema>, Schema]>([
    ['required members of its own type', { Self: members(ref('Self')) }, ref('Self')],
    ['lists of its own type', { Self: { minItems: 4, items: ref('Self') } }, ref('Self')],
    ['nested lists', {}, nested(12)],
    ['parts', doubled((next) => ({ allOf: [next, next] }), { type: 'object' }), ref('C0')],
    ['alternatives', doubled((next) => ({ oneOf: [next, next] }), members(true)), ref('C0')],
    ['an alternative that is itself', { Self: { oneOf: [ref('Self'), nested(1)] } }, ref('Self')],
  ])('are read in a limited number of steps: %s', (_, own, schema) => {
    const other = new SchemaReader(own);
    const text = JSON.stringify(other.initial(schema)) ?? '';
    expect(text.length).toBeLessThan(20_000);
    expect(other.likeness(schema, 'x')).toBeLessThan(9);
    expect(other.shape(other.flatten(schema))).toHaveProperty('kind');
  });
});
