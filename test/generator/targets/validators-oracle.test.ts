/** Compares with the MethodCallValidator of schema-utils-js (Ajv 6), an independent implementation. */
import { MethodCallValidator } from '@open-rpc/schema-utils-js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

const word = fc.constantFrom('a', 'b', '0x1', 'ab', '');
const scalar = fc.oneof(word, fc.integer({ min: -3, max: 5 }), fc.boolean(), fc.constant(null));
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(
    fc.constantFrom('a', 'b', 'kind'),
    fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
    { noNullPrototype: true },
  ),
);

const schemas: Readonly<Record<string, unknown>> = {
  string: { type: 'string', minLength: 1, pattern: '^[a0]' },
  number: { type: ['integer', 'null'], minimum: -1, exclusiveMaximum: 4 },
  enumeration: { enum: ['a', 1, null, [], { a: 1 }] },
  list: { type: 'array', items: { type: ['string', 'integer'] }, maxItems: 3, uniqueItems: true },
  tuple: { items: [{ type: 'string' }, { type: 'integer' }], additionalItems: { type: 'boolean' } },
  object: {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' }, b: { type: 'array', contains: { const: 1 } } },
    additionalProperties: false,
  },
  dependent: {
    type: 'object',
    dependencies: { a: ['b'], b: { required: ['kind'] } },
    maxProperties: 2,
  },
  conditional: { if: { type: 'string' }, then: { maxLength: 1 }, else: { not: { type: 'null' } } },
  union: {
    oneOf: [
      { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
      { type: 'array', items: { type: 'integer' } },
      { anyOf: [{ type: 'string' }, { type: 'integer', multipleOf: 2 }] },
    ],
  },
};

test('generated validators agree with MethodCallValidator', async () => {
  const document = documentOf(
    Object.entries(schemas).map(([name, schema]) => methodOf(name, schema)),
  );
  const { validateParams } = await validatorsOf(document);
  const oracle = new MethodCallValidator(structuredClone(document) as never);
  const verdicts = new Set<string>();
  for (const name of Object.keys(schemas)) {
    fc.assert(
      fc.property(value, (input) => {
        const theirs = oracle.validate(name, [input]);
        const isAccepted = Array.isArray(theirs) && theirs.length === 0;
        verdicts.add(`${name} ${isAccepted}`);
        expect(validateParams[name]!([input]).length === 0).toBe(isAccepted);
      }),
      { numRuns: 2_000, seed: 20_260_101 },
    );
  }
  // The inputs must include accepted and rejected ones.
  expect(verdicts.size).toBe(Object.keys(schemas).length * 2);
});
