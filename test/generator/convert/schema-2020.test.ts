import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Json, Schema } from '../../../common/json/value.ts';
import { toDraft2020 } from '../../../generator/convert/schema-2020.ts';

const definitions = { Text: { type: 'string' } };

/** Schemas whose keywords changed between the drafts, and values on both sides of each. */
const cases: readonly (readonly [title: string, schema: Schema, values: readonly Json[]])[] = [
  ['booleans', false, [1]],
  ['a list of items', { items: [{ type: 'string' }, false] }, [['a'], [1], ['a', 1], []]],
  [
    'a list of items with a schema for the rest',
    { items: [{ type: 'string' }], additionalItems: { type: 'number' } },
    [['a', 1], ['a', 'b'], []],
  ],
  ['a list of items without others', { items: [true], additionalItems: false }, [[1], [1, 2]]],
  ['an empty list of items', { items: [], additionalItems: false }, [[], [1]]],
  [
    'additionalItems that have no effect',
    { items: { type: 'string' }, additionalItems: false },
    [['a', 'b'], [1]],
  ],
  ['additionalItems alone', { additionalItems: false }, [[1]]],
  [
    'dependencies of both kinds',
    { dependencies: { a: ['b'], c: { required: ['d'], properties: { d: { items: [false] } } } } },
    [{ a: 1 }, { a: 1, b: 2 }, { c: 1 }, { c: 1, d: [] }, { c: 1, d: [1] }, {}],
  ],
  [
    'schemas below others',
    {
      properties: { a: { items: [{ type: 'string' }] } },
      additionalProperties: { not: { items: [{ type: 'string' }] } },
      if: { items: [true], additionalItems: false },
      // eslint-disable-next-line unicorn/no-thenable
      then: { anyOf: [{ items: [{ $ref: '#/definitions/Text' }] }, { type: 'object' }] },
    },
    [{ a: ['x'] }, { a: [1] }, { b: ['x'] }, { b: [1] }, [1], [1, 2], ['a']],
  ],
  [
    'names and values that look like keywords',
    {
      properties: { items: { const: { items: [1], additionalItems: 1 } }, dependencies: {} },
      enum: [{ items: { items: [1], additionalItems: 1 } }, { items: [] }],
    },
    [{ items: { items: [1], additionalItems: 1 } }, { items: [] }],
  ],
];

describe('a schema of draft 2020-12 allows the same values as its draft-07 original', () => {
  test.each(cases)('%s', (_, schema, values) => {
    const old = new Ajv({ strict: false, validateSchema: false }).compile(
      typeof schema === 'boolean' ? schema : withDefinitions(schema),
    );
    const converted = toDraft2020(schema, (reference) => reference);
    const fresh = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false }).compile(
      typeof converted === 'boolean' ? converted : withDefinitions(converted),
    );
    for (const value of values) expect([value, fresh(value)]).toEqual([value, old(value)]);
  });
});

test('beside a reference only annotations stay, since draft-07 ignores all other keywords', () => {
  const schema = { $ref: '#/definitions/Text', maxLength: 1, description: 'a text' };
  expect(toDraft2020(schema, (reference) => reference.replace('definitions', 'a'))).toEqual({
    $ref: '#/a/Text',
    description: 'a text',
  });
});

function withDefinitions(schema: Exclude<Schema, boolean>): Exclude<Schema, boolean> {
  return { allOf: [schema], definitions };
}
