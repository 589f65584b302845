import { describe, expect, test } from 'vitest';
import { unionDocument } from '../../../bench/diff/union-document.ts';
import { atScale } from '../../support/soak.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn } from './support/documents.ts';

const request = (schema: unknown) => documentOf([methodOf('a', schema)]);

/** Variants that the name of their only member marks. */
const tagged = (names: readonly string[]) => ({
  oneOf: names.map((name) => ({
    type: 'object',
    properties: { [name]: { type: 'string', minLength: 1 } },
    required: [name],
    additionalProperties: false,
  })),
});
const names = Array.from({ length: 30 }, (_, index) => `variant${index}`);

describe('unions of many variants', () => {
  test('that their only member marks are decided', async () => {
    const added = await diffOf(request(tagged(names)), request(tagged(['first', ...names])));
    expect(kindsIn(added)).toEqual(['request-variant-added']);
    const removed = await diffOf(request(tagged(names)), request(tagged(names.slice(1))));
    expect(kindsIn(removed)).toEqual(['request-variant-removed']);
  });

  test('that a constant in a shared part marks are decided when the part changes', async () => {
    const union = (shared: object) => ({
      anyOf: names.map((name, index) => ({
        allOf: [
          {
            type: 'object',
            required: ['kind'],
            properties: { kind: { type: 'string' } },
            ...shared,
          },
          { properties: { kind: { const: name }, [`m${index}`]: { type: 'string' } } },
        ],
      })),
    });
    const { changes } = await diffOf(request(union({})), request(union({ maxProperties: 4 })));
    expect(new Set(changes.map(({ kind }) => kind))).not.toContain('request-schema-undecided');
    expect(changes.some(({ severity }) => severity === 'error')).toBe(true);
  });

  test('nested in one another, as transactions are, are decided wherever a leaf changes', async () => {
    const changed = structuredClone(unionDocument);
    Object.assign(changed.components.schemas, {
      RESOURCE_BOUNDS: {
        ...(changed.components.schemas['RESOURCE_BOUNDS'] as object),
        properties: {
          max_amount: { type: 'string', maxLength: 10 },
          max_price_per_unit: { $ref: '#/components/schemas/U128' },
        },
      },
      FEE: {
        ...(changed.components.schemas['FEE'] as object),
        properties: {
          amount: { $ref: '#/components/schemas/FELT' },
          unit: { enum: ['WEI', 'FRI', 'GWEI'] },
        },
      },
    });
    const { changes } = await diffOf(unionDocument, changed);
    const alarms = changes.filter(({ severity }) => severity !== 'info');
    expect(alarms.map(({ kind, subject }) => `${kind} ${subject.split(' (')[0]!}`)).toEqual([
      'response-pattern-loosened schema "RESOURCE_BOUNDS", .max_amount',
      'request-length-tightened schema "RESOURCE_BOUNDS", .max_amount',
      'version-bump-too-small info.version',
      'response-value-added schema "FEE", .unit',
    ]);
  });
});

describe('undecided comparisons', () => {
  const hard = (bound: number) => ({
    allOf: Array.from({ length: 14 }, (_, index) => ({
      oneOf: Array.from({ length: 9 }, (_, other) => ({
        properties: {
          [`p${(index * 5 + other) % 13}`]: { minimum: other, maximum: bound + index },
        },
        required: [`q${(other + index) % 9}`],
      })),
    })),
  });
  const both = (first: readonly unknown[], last: unknown) =>
    documentOf([...first.map((each, index) => methodOf(`m${index}`, each)), methodOf('z', last)]);

  test('of one method leave those of another decided', async () => {
    const many = (bound: number) =>
      Array.from({ length: atScale(2, 1) }, (_, index) => hard(bound + 50 * index));
    const old = both(many(50), { type: 'object' });
    const { changes } = await diffOf(old, both(many(49), { type: 'array' }));
    const last = changes.filter(({ methods }) => methods.includes('z'));
    expect(last.map(({ kind }) => kind)).toEqual(['request-type-narrowed']);
  });
});

test('a variant of itself, which validators cannot follow, is compared', async () => {
  const document = (own: object) =>
    documentOf([methodOf('a', {}, { $ref: '#/components/schemas/Value' })], {
      components: {
        schemas: {
          Value: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Other' }] },
          Other: { anyOf: [{ $ref: '#/components/schemas/Value' }, own] },
        },
      },
    });
  const found = await diffOf(document({ type: 'integer' }), document({ type: 'boolean' }));
  expect(kindsIn(found)).toContain('response-variant-added');
});
