import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createContainments } from '../../../generator/containment/containment.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';

const seed = seedOfCases();

function decide(inner: JsonObject, outer: JsonObject) {
  const { pool, contains, confirm } = createContainments({ old: new Map(), new: new Map() });
  const [from, to] = [pool.of('old', inner), pool.of('new', outer)];
  return confirm(contains(to, from), to, from);
}

// Without a precision, Ajv calls 0.3 no multiple of 0.1.
const ajv = new Ajv({ strict: false, logger: false, multipleOfPrecision: 9 });

/** Multiples of everything used below, their neighbors, and numbers far from 0 or without a pattern. */
const probes = [
  ...Array.from({ length: 401 }, (_, index) => (index - 200) / 20),
  ...Array.from({ length: 31 }, (_, index) => (index - 15) * 7 + Math.SQRT1_2),
  ...[30, 60, 90, 1000, 65_535, 2 ** 31, 2 ** 53].flatMap((each) => [each, -each, each + 0.5]),
];

function hold(inner: JsonObject, outer: JsonObject): void {
  const verdict = decide(inner, outer);
  const [isIn, isOut] = [ajv.compile(inner), ajv.compile(outer)];
  expect(verdict.holds).not.toBe('undecided');
  if (verdict.holds === 'no') {
    expect(isIn(verdict.witness)).toBe(true);
    expect(isOut(verdict.witness)).toBe(false);
  } else {
    expect(probes.filter((value) => isIn(value) && !isOut(value))).toEqual([]);
  }
}

const limit = fc.constantFrom(-8, -3, -1, -0.5, 0, 0.25, 1, 2, 3, 8, 10, 1000, 65_535);
const numeric = fc.record(
  {
    type: fc.constantFrom<JsonObject[string]>('integer', 'number', ['integer', 'null']),
    minimum: limit,
    maximum: limit,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    multipleOf: fc.constantFrom(1, 2, 3, 5, 10, 0.5, 0.25, 2.5, 0.1, 0.05),
  },
  { requiredKeys: [] },
);

test(`numbers are always compared, and as Ajv compares them, seed ${seed}`, () => {
  fc.assert(
    fc.property(numeric, numeric, (inner, outer) => hold(inner, outer)),
    { seed, numRuns: atScale(3000, 300) },
  );
});

test(`one keyword more or less is always decided, and as Ajv decides it, seed ${seed}`, () => {
  const keyword = fc.constantFrom(
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  );
  fc.assert(
    fc.property(numeric, keyword, fc.constantFrom('integer', 'number'), (schema, key, type) => {
      const whole = { ...schema, type };
      const { [key]: _, ...less } = whole as Record<string, unknown> & JsonObject;
      hold(whole, less);
      hold(less, whole);
    }),
    { seed, numRuns: atScale(1500, 150) },
  );
});

test.each([
  [{ type: 'integer' }, { type: 'integer', minimum: 0 }, -1],
  [{ type: 'integer' }, { type: 'integer', exclusiveMinimum: 0 }, 0],
  [{ type: 'integer' }, { type: 'integer', maximum: 0 }, 1],
  [{ type: 'integer', multipleOf: 7 }, { minimum: 0 }, -7],
  [{ type: 'number' }, { minimum: 0 }, -1],
  [{ type: 'integer', minimum: 2 ** 60 }, { maximum: 2 ** 60 }, 2 ** 60 + 256],
  [{ minimum: 0, maximum: 1, not: { type: 'integer' } }, { maximum: 0 }, 0.5],
])('of %j, %j leaves out %d', (inner, outer, witness) => {
  expect(decide(inner, outer)).toEqual({ holds: 'no', witness });
});

test.each([
  [{ type: 'integer', exclusiveMinimum: 0 }, { minimum: 1 }],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1 }, false],
  [{ multipleOf: 0.1 }, { multipleOf: 0.01 }],
  [{ multipleOf: 6 }, { type: ['integer', 'string'], multipleOf: 3 }],
  [{ allOf: [{ multipleOf: 0.2 }, { multipleOf: 0.5 }] }, { type: 'integer' }],
  [{ type: 'number', minimum: 2 ** 53 }, { type: 'integer' }],
] as const)('all that %j allows of numbers, %j does', (inner, outer) => {
  const numbers = { allOf: [{ type: 'number' }, inner as JsonObject] };
  expect(decide(numbers, { allOf: [outer] } as unknown as JsonObject)).toEqual({ holds: 'yes' });
});
