import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChooser, type Candidate } from '../../../src/upstream/routing/choose.ts';
import { failure } from '../../../src/upstream/failure.ts';

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
    ask: async () => failure('none', ''),
    canTake({ floor }) {
      return this.can && this.height >= floor;
    },
    ...over,
  };
}

const low = { tip: true, floor: 0 };
const anyone = { without: [], demand: low };

describe('createChooser', () => {
  it('chooses the least loaded for its weight', () => {
    const [small, large] = [candidate('small', { inFlight: 2 }), candidate('large', { weight: 4 })];
    const choose = createChooser([small, large]);
    large.inFlight = 7;
    expect(choose(anyone)).toBe(large);
    large.inFlight = 9;
    expect(choose(anyone)).toBe(small);
  });

  it('gives equals turns as often as their weights say', () => {
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

  it('lets one that was away take its turn, not all it missed', () => {
    const [first, second] = [candidate('first'), candidate('second', { can: false })];
    const choose = createChooser([first, second]);
    for (let round = 0; round < 100; round += 1) choose(anyone);
    second.can = true;
    const names = Array.from({ length: 10 }, () => choose(anyone)!.name);
    expect(names.filter((name) => name === 'second')).toHaveLength(5);
  });

  it('takes of a higher tier only when none of a lower one can', () => {
    const own = candidate('own', { inFlight: 1_000, height: 10 });
    const rented = candidate('rented', { tier: 2, height: 20 });
    const choose = createChooser([rented, own]);
    expect(choose(anyone)).toBe(own);
    expect(choose({ without: [own], demand: low })).toBe(rented);
    expect(choose({ without: [], demand: { tip: false, floor: 11 } })).toBe(rented);
    expect(choose({ without: [own], demand: low, tier: 1 })).toBeUndefined();
    own.can = false;
    expect(choose(anyone)).toBe(rented);
  });

  it('never chooses one that cannot take the call or was asked before', () => {
    const all = [candidate('a', { height: 5 }), candidate('b', { can: false })];
    const choose = createChooser(all);
    expect(choose({ without: [all[0]!], demand: low })).toBeUndefined();
    expect(choose({ without: [], demand: { tip: false, floor: 6 } })).toBeUndefined();
    expect(choose({ without: [], demand: { tip: false, floor: 5 } })).toBe(all[0]);
  });
});
