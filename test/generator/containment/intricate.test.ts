import { expect, test } from 'vitest';
import { accepts } from '../../../generator/containment/accepts.ts';
import { createContainments } from '../../../generator/containment/containment.ts';
import { createPool } from '../../../generator/containment/pool.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { atScale } from '../../support/soak.ts';

/** Schemas that each allow what any other one allows, or an object of their own. */
function cliqueOf(size: number): ReadonlyMap<string, JsonObject> {
  const names = Array.from({ length: size }, (_, index) => `S${index}`);
  return new Map(
    names.map((name) => {
      const others = names.filter((other) => other !== name);
      const anyOf = others.map((other) => ({ $ref: `#/components/schemas/${other}` }));
      return [name, { anyOf: [...anyOf, { type: 'object', required: [name] }] }];
    }),
  );
}

const SIZE = 20;
const first = { $ref: '#/components/schemas/S0' };

test('a validation charges its budget for the references it follows', () => {
  const pool = createPool({ old: cliqueOf(SIZE), new: new Map() });
  let steps = 0;
  const budget = { spend: (more: number) => (steps += more) > 0, work: () => {}, isSpent: false };
  expect(accepts(pool, pool.of('old', first), 1, budget)).toBe(false);
  expect(steps).toBeGreaterThanOrEqual(SIZE * (SIZE - 1));
});

/** Objects that each need two members of the next one; a value doubles in size with each level. */
function doublingOf(levels: number, last: JsonObject): ReadonlyMap<string, JsonObject> {
  const objects = Array.from({ length: levels }, (_, level): [string, JsonObject] => {
    const next = { $ref: `#/components/schemas/S${level + 1}` };
    return [
      `S${level}`,
      { type: 'object', properties: { a: next, b: next }, required: ['a', 'b'] },
    ];
  });
  return new Map([...objects, [`S${levels}`, last]]);
}

test.each([
  [4, { holds: 'no' }],
  // 2^16 parts.
  [16, { holds: 'undecided', reason: 'values that only one schema allows have over 10000 parts' }],
])('a value that shows a difference has a bounded number of parts: %i levels', (levels, answer) => {
  const { pool, contains } = createContainments({
    old: doublingOf(levels, { type: 'string' }),
    new: doublingOf(levels, { type: 'boolean' }),
  });
  expect(contains(pool.of('new', first), pool.of('old', first))).toMatchObject(answer);
});

/** A union whose variants overlap, so that each pair of them is a way to violate it. */
function unionOf(size: number): JsonObject {
  const variants = Array.from({ length: size }, (_, index) => ({ required: [`p${index}`] }));
  return { type: 'object', oneOf: variants };
}

test.each([
  [20, 'no'],
  // 125,000 pairs.
  [500, 'undecided'],
])('a comparison charges its budget for the pairs of variants: %i variants', (size, holds) => {
  const { pool, contains } = createContainments({ old: new Map(), new: new Map() });
  const union = pool.of('old', unionOf(size));
  const wider = pool.of('new', {
    ...unionOf(size),
    oneOf: [...(unionOf(size)['oneOf'] as []), true],
  });
  expect(contains(union, wider)).toMatchObject({ holds });
});

test('a chain of many components, each with a choice, is compared within the stack', () => {
  const size = 3000;
  const chain = (last: JsonObject) =>
    new Map([
      ...Array.from({ length: size }, (_, index): [string, JsonObject] => {
        const next = { $ref: `#/components/schemas/S${index + 1}` };
        return [`S${index}`, { allOf: [next, { not: { required: [`p${index}`] } }] }];
      }),
      [`S${size}`, last] as [string, JsonObject],
    ]);
  const { pool, contains } = createContainments({
    old: chain({ type: 'string' }),
    new: chain({ type: 'object' }),
  });
  expect(contains(pool.of('old', first), pool.of('new', first))).toMatchObject({
    holds: 'undecided',
  });
});

/** Unions of all later ones: a value reaches the last one in 2^size ways. */
function ladderOf(size: number, last: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    Array.from({ length: size + 1 }, (_, index): [string, JsonObject] => {
      const later = Array.from({ length: size - index }, (_each, next) => {
        return { $ref: `#/components/schemas/S${index + next + 1}` };
      });
      return [`S${index}`, index === size ? last : { anyOf: later }];
    }),
  );
}

test('a counterexample that schemas reach in exponentially many ways is confirmed', () => {
  const { pool, confirm } = createContainments({
    old: ladderOf(40, { type: 'string' }),
    new: ladderOf(40, { type: 'string', minLength: 1 }),
  });
  const [outer, inner] = [pool.of('new', first), pool.of('old', first)];
  const answer = { holds: 'no', witness: '' } as const;
  expect(confirm(answer, outer, inner)).toEqual(answer);
});

const WIDE = atScale(1000, 300);

test.each(['allOf', 'anyOf', 'oneOf'])(
  'the parts of a wide %s are counted: many questions about it end',
  (keyword) => {
    const variants = (from: number) =>
      Array.from({ length: WIDE }, (_, index) => {
        const key = `k${index + from}`;
        return { type: 'object', properties: { [key]: { minLength: index } }, required: [key] };
      });
    const { pool, contains } = createContainments({ old: new Map(), new: new Map() });
    const inner = pool.of('old', { [keyword]: variants(0) });
    const answers = variants(WIDE).map((each) => contains(pool.of('new', each), inner));
    expect(new Set(answers.map(({ holds }) => holds))).not.toContain('yes');
  },
);

/** Schemas that each have the next one twice in their `allOf`. */
function repeatingOf(levels: number, last: JsonObject): ReadonlyMap<string, JsonObject> {
  const schemas = Array.from({ length: levels }, (_, level): [string, JsonObject] => {
    const next = { $ref: `#/components/schemas/S${level + 1}` };
    return [`S${level}`, { allOf: [next, next, { minLength: level }] }];
  });
  return new Map([...schemas, [`S${levels}`, last]]);
}

test('a difference of schemas that are reached in 2^60 ways is confirmed', () => {
  const { pool, contains, confirm } = createContainments({
    old: repeatingOf(60, { type: 'string' }),
    new: repeatingOf(60, { type: 'string', maxLength: 70 }),
  });
  const [outer, inner] = [pool.of('new', first), pool.of('old', first)];
  expect(confirm(contains(outer, inner), outer, inner)).toMatchObject({ holds: 'no' });
});
