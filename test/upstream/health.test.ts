import { describe, expect, it } from 'vitest';
import { Health } from '../../src/upstream/health/health.ts';
import type { Head, ProbeFailure } from '../../src/upstream/probes.ts';
import { fakeClock, type FakeClock } from './clock.ts';

interface Rig {
  readonly health: Health;
  readonly clock: FakeClock;
  readonly changes: [isFit: boolean, detail: string][];
  readonly heads: Head[];
  /** Checks once; the node tells this height, or nothing. */
  check(height: number | undefined, finalized?: number): Promise<void>;
}

function follow(): Rig {
  const clock = fakeClock();
  const changes: Rig['changes'] = [];
  const heads: Head[] = [];
  let told: Head | ProbeFailure;
  let final: number | undefined;
  const health = new Health({
    probeHead: async () => told,
    probeFinalized: async () => final,
    most_failures: 2,
    probes_per_finalized: 3,
    monotonic_ms: () => clock.monotonic_ms(),
    onChange: (isFit, detail) => changes.push([isFit, detail]),
    onHead: (head) => heads.push(head),
  });
  return {
    health,
    clock,
    changes,
    heads,
    check(height, finalized) {
      final = finalized;
      told =
        height === undefined
          ? { trouble: 'no answer', cause: 'timeout' }
          : { number: height, gasLimit: null };
      return health.check(new AbortController().signal);
    },
  };
}

describe('Health', () => {
  it('is fit with the first head, and no longer after so many failures in a row', async () => {
    const { health, changes, check } = follow();
    expect(health.isFit).toBe(false);
    await check(1);
    await check(undefined);
    await check(2);
    await check(undefined);
    expect(health.isFit).toBe(true);
    await check(undefined);
    expect(health.isFit).toBe(false);
    await check(undefined);
    expect(health.head?.number).toBe(2);
    await check(3);
    expect(changes).toEqual([
      [true, ''],
      [false, 'no answer'],
      [true, ''],
    ]);
  });

  it('tells at once why an upstream was never fit, and once only', async () => {
    const { changes, check } = follow();
    await check(undefined);
    await check(undefined);
    await check(undefined);
    expect(changes).toEqual([[false, 'no answer']]);
  });

  it('is unfit as soon as the connection is lost', async () => {
    const { health, changes, check } = follow();
    await check(1);
    health.lose('closed with 1006');
    health.lose('ECONNREFUSED');
    expect(health.isFit).toBe(false);
    expect(changes).toEqual([
      [true, ''],
      [false, 'closed with 1006'],
    ]);
  });

  it('asks for the newest final block now and then, and keeps what it was told', async () => {
    const { heads, check } = follow();
    for (const height of [10, 11, 12, 13]) await check(height, height - 5);
    expect(heads.map(({ number, finalized }) => [number, finalized])).toEqual([
      [10, undefined],
      [10, 5],
      [11, 5],
      [12, 5],
      [13, 5],
      [13, 8],
    ]);
  });

  it('measures at what pace the head goes forward', async () => {
    const { health, clock, check } = follow();
    for (let second = 0; second < 60; second += 1) {
      await check(1_000 + second * 4);
      clock.pass(1_000);
    }
    expect(health.pace_per_s).toBeCloseTo(4, 1);
    await check(1);
    expect(health.pace_per_s).toBeLessThan(4);
    for (let second = 0; second < 60; second += 1) {
      clock.pass(1_000);
      await check(1);
    }
    expect(health.pace_per_s).toBeCloseTo(0, 1);
  });
});
