import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChooser, type Candidate } from '../../../src/upstream/routing/choose.ts';
import { failure } from '../../../src/upstream/upstream.ts';

interface Subject extends Candidate {
  inFlight: number;
  can: boolean;
  height: number;
}

function candidate(name: string, over: Partial<Subject> = {}): Subject {
  return {
    name,
    weight: 1,
    tier: 1,
    inFlight: 0,
    can: true,
    height: 0,
    call: async () => failure('none', ''),
    canTake({ minHeight }) {
      return this.can && this.height >= minHeight;
    },
    ...over,
  };
}

const low = { tip: true, minHeight: 0 };
const anyone = { exclude: [], demand: low };

describe('createChooser', () => {
  it('chooses the least loaded node for its weight', () => {
    const [small, large] = [candidate('small', { inFlight: 2 }), candidate('large', { weight: 4 })];
    const choose = createChooser([small, large]);
    large.inFlight = 7;
    expect(choose(anyone)).toBe(large);
    large.inFlight = 9;
    expect(choose(anyone)).toBe(small);
  });

  it('gives equally loaded nodes turns by weight', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (weights) => {
          const candidates = weights.map((weight, index) => candidate(String(index), { weight }));
          const choose = createChooser(candidates);
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          const counts = new Map<Candidate, number>();
          for (let round = 0; round < total * 20; round += 1) {
            const chosen = choose(anyone)!;
            counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
          }
          for (const { weight, ...rest } of candidates) {
            const times = [...counts].find(([{ name }]) => name === rest.name)![1];
            expect(Math.abs(times - weight * 20)).toBeLessThanOrEqual(2 * weights.length);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('gives a node that was away no extra turns', () => {
    const [first, second] = [candidate('first'), candidate('second', { can: false })];
    const choose = createChooser([first, second]);
    for (let round = 0; round < 100; round += 1) choose(anyone);
    second.can = true;
    const names = Array.from({ length: 10 }, () => choose(anyone)!.name);
    expect(names.filter((name) => name === 'second')).toHaveLength(5);
  });

  it('chooses a higher tier only when no node of a lower one is available', () => {
    const own = candidate('own', { inFlight: 1_000, height: 10 });
    const rented = candidate('rented', { tier: 2, height: 20 });
    const choose = createChooser([rented, own]);
    expect(choose(anyone)).toBe(own);
    expect(choose({ exclude: [own], demand: low })).toBe(rented);
    expect(choose({ exclude: [], demand: { tip: false, minHeight: 11 } })).toBe(rented);
    expect(choose({ exclude: [own], demand: low, tier: 1 })).toBeUndefined();
    own.can = false;
    expect(choose(anyone)).toBe(rented);
  });

  it('never chooses an unavailable or excluded node', () => {
    const all = [candidate('a', { height: 5 }), candidate('b', { can: false })];
    const choose = createChooser(all);
    expect(choose({ exclude: [all[0]!], demand: low })).toBeUndefined();
    expect(choose({ exclude: [], demand: { tip: false, minHeight: 6 } })).toBeUndefined();
    expect(choose({ exclude: [], demand: { tip: false, minHeight: 5 } })).toBe(all[0]);
  });
});
