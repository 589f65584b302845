import { expect, test } from 'vitest';
import { accepts } from '../../../generator/containment/accepts.ts';
import { createPool } from '../../../generator/containment/pool.ts';
import type { JsonObject } from '../../../common/json/value.ts';

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
  const budget = { spend: (more: number) => (steps += more) > 0, isSpent: false };
  expect(accepts(pool, pool.of('old', first), 1, budget)).toBe(false);
  expect(steps).toBeGreaterThanOrEqual(SIZE * (SIZE - 1));
});
