/** Arbitrary schemas, small and full of what is hard to compare. */
import * as fc from 'fast-check';
import type { Schema } from '../../../../bench/diff/instances/instances.ts';

const small = fc.integer({ min: 0, max: 3 });
const key = fc.constantFrom('a', 'b', 'ab');
const pattern = fc.constantFrom(
  '^a',
  'b$',
  '^[ab]*$',
  '^(a|ab)$',
  'a+b?',
  '^0x[0-9a-f]+$',
  '^.{2}$',
);

const leaf: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>(true, false, {}),
  fc.record({
    type: fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object'),
  }),
  fc.record({
    enum: fc.uniqueArray(fc.constantFrom(null, true, 0, 1, 'a', 'b'), { minLength: 1 }),
  }),
  fc.record({ const: fc.constantFrom(0, 1, 'a', null) }),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: small,
      maximum: small,
      multipleOf: fc.constantFrom(1, 2, 3, 0.5),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ exclusiveMinimum: small, exclusiveMaximum: small }, { requiredKeys: [] }),
  fc.record(
    { type: fc.constant('string'), minLength: small, maxLength: small, pattern },
    { requiredKeys: ['type'] },
  ),
);

/** With references to the components `X` and `Y` where `isRecursive`. */
export function arbitrarySchema(isRecursive = false): fc.Arbitrary<Schema> {
  return fc.letrec<{ schema: Schema }>((tie) => {
    const schema = tie('schema');
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    const reference = fc.constantFrom<Schema>(
      { $ref: '#/components/schemas/X' },
      { $ref: '#/components/schemas/Y' },
    );
    const object = fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(key, schema, { maxKeys: 2 }),
        required: fc.uniqueArray(key, { maxLength: 2 }),
        additionalProperties: schema,
        patternProperties: fc.dictionary(pattern, schema, { maxKeys: 1 }),
        propertyNames: fc.oneof(fc.record({ pattern }), fc.record({ maxLength: small })),
        minProperties: small,
        maxProperties: small,
        dependencies: fc.dictionary(key, fc.oneof(fc.uniqueArray(key, { maxLength: 1 }), schema), {
          maxKeys: 1,
        }),
      },
      { requiredKeys: ['type'] },
    );
    const array = fc.record(
      {
        type: fc.constant('array'),
        items: fc.oneof(schema, list),
        additionalItems: schema,
        contains: schema,
        minItems: small,
        maxItems: small,
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    );
    const combined = fc.oneof(
      fc.record({ allOf: list }),
      fc.record({ anyOf: list }),
      fc.record({ oneOf: list }),
      fc.record({ not: schema }),
      fc.record({ if: schema, then: schema, else: schema }, { requiredKeys: ['if'] }),
    );
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        leaf,
        object as fc.Arbitrary<Schema>,
        array as fc.Arbitrary<Schema>,
        combined as fc.Arbitrary<Schema>,
        ...(isRecursive ? [reference] : []),
      ),
    };
  }).schema;
}

/** A component that refers only from within members and elements, so that every value is finite. */
export const arbitraryComponent: fc.Arbitrary<Schema> = fc.record(
  {
    type: fc.constantFrom('object', ['object', 'null'], ['array', 'integer', 'object']),
    properties: fc.dictionary(key, arbitrarySchema(true), { maxKeys: 2 }),
    items: arbitrarySchema(true),
    required: fc.uniqueArray(key, { maxLength: 1 }),
  },
  { requiredKeys: ['type'] },
) as fc.Arbitrary<Schema>;
