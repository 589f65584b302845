import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createContainments } from '../../../generator/containment/containment.ts';
import type { Schema as ModelSchema } from '../../../common/json/value.ts';
import {
  createChance,
  type Components,
  type Schema,
} from '../../../bench/diff/instances/instances.ts';
import { compile, searchWitness } from '../../../bench/diff/instances/search.ts';
import { atScale, seedOfCases } from '../../support/soak.ts';
import { arbitraryComponent, arbitrarySchema } from './support/schemas.ts';

const seed = seedOfCases();
const tries = 40;

function decide(inner: Schema, outer: Schema, [innerOf, outerOf]: readonly Components[]) {
  const map = (components: Components | undefined) =>
    new Map(Object.entries(components ?? {})) as unknown as Map<string, ModelSchema>;
  const { pool, contains } = createContainments({ old: map(innerOf), new: map(outerOf) });
  return contains(pool.of('new', outer as ModelSchema), pool.of('old', inner as ModelSchema));
}

function hold(pair: { inner: Schema; outer: Schema; components: readonly Components[] }): void {
  const { inner, outer, components } = pair;
  const verdict = decide(inner, outer, components);
  const sides = {
    inner: { schema: inner, components: components[0] ?? {} },
    outer: { schema: outer, components: components[1] ?? {} },
  };
  if (verdict.holds === 'no') {
    expect(compile(inner, components[0])(verdict.witness)).toBe(true);
    expect(compile(outer, components[1])(verdict.witness)).toBe(false);
  } else if (verdict.holds === 'yes') {
    expect(searchWitness(sides, { chance: createChance(seed), tries })).toBeUndefined();
  }
}

test(`what is called contained has no counterexample that a search finds, seed ${seed}`, () => {
  const pair = fc.record({ inner: arbitrarySchema(), outer: arbitrarySchema() });
  fc.assert(
    fc.property(pair, (each) => hold({ ...each, components: [] })),
    { seed, numRuns: atScale(150, 60) },
  );
});

test('an element of any kind is one that an empty list lacks', () => {
  expect(decide({ type: 'array' }, { contains: true }, [])).toEqual({ holds: 'no', witness: [] });
  expect(decide({ minItems: 1, type: 'array' }, { contains: true }, []).holds).toBe('yes');
});

test('what two equal variants allow is refused by oneOf, and by nothing else', () => {
  const text = { type: 'string' };
  expect(decide({ oneOf: [text] }, { oneOf: [text, text] }, [])).toMatchObject({ holds: 'no' });
  expect(decide({ anyOf: [text] }, { anyOf: [text, text] }, []).holds).toBe('yes');
});

test(`a schema and a variation of it are compared soundly, seed ${seed}`, () => {
  const pair = fc.tuple(arbitrarySchema(), arbitrarySchema(), fc.integer({ min: 0, max: 5 }));
  fc.assert(
    fc.property(pair, ([a, b, way]) => {
      const both: readonly (readonly [Schema, Schema])[] = [
        [{ allOf: [a, b] }, a],
        [a, { anyOf: [a, b] }],
        [{ properties: { a } }, { properties: { a: { anyOf: [b, a] } } }],
        [{ items: { allOf: [b, a] } }, { items: a }],
        [{ not: { anyOf: [a, b] } }, { not: a }],
        [{ oneOf: [a, b] }, { anyOf: [a, b] }],
      ];
      const [inner, outer] = both[way]!;
      expect(decide(inner, outer, []).holds).not.toBe('no');
      hold({ inner, outer, components: [] });
      hold({ inner: outer, outer: inner, components: [] });
    }),
    { seed, numRuns: atScale(60, 25) },
  );
});

test(`recursive schemas are compared soundly, seed ${seed}`, () => {
  const components = fc.record({ X: arbitraryComponent, Y: arbitraryComponent });
  const pair = fc.tuple(arbitrarySchema(true), arbitrarySchema(true), components, components);
  fc.assert(
    fc.property(pair, ([inner, outer, a, b]) => {
      hold({ inner, outer, components: [a, b] });
      hold({ inner, outer: inner, components: [a, b] });
      hold({ inner, outer: inner, components: [a, a] });
    }),
    { seed, numRuns: atScale(40, 20) },
  );
});
