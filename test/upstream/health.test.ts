import { describe, expect, it } from 'vitest';
import { Health } from '../../src/upstream/health/health.ts';
import type { Head } from '../../src/upstream/health/probes.ts';
import { failure, type Failure } from '../../src/upstream/upstream.ts';
import { fakeClock, type FakeClock } from './clock.ts';

interface Rig {
  readonly health: Health;
  readonly clock: FakeClock;
  readonly changes: [isHealthy: boolean, detail: string][];
  readonly heads: Head[];
  /** Probes once; the node answers with this height, or fails. */
  check(height: number | undefined, finalized?: number): Promise<void>;
}

function follow(): Rig {
  const clock = fakeClock();
  const changes: Rig['changes'] = [];
  const heads: Head[] = [];
  let answer: Head | Failure;
  let final: number | undefined;
  const health = new Health({
    probeHead: async () => answer,
    probeFinalized: async () => final,
    max_failures: 2,
    probes_per_finalized: 3,
    monotonic_ms: () => clock.monotonic_ms(),
    startTimer: clock.startTimer,
    onChange: (isHealthy, detail) => changes.push([isHealthy, detail]),
    onHead: (head) => heads.push(head),
  });
  return {
    health,
    clock,
    changes,
    heads,
    check(height, finalized) {
      final = finalized;
      answer =
        height === undefined ? failure('timeout', 'no answer') : { number: height, gasLimit: null };
      return health.check(new AbortController().signal);
    },
  };
}

describe('Health', () => {
  it('becomes healthy with the first head and unhealthy after consecutive failures', async () => {
    const { health, changes, check } = follow();
    expect(health.isHealthy).toBe(false);
    await check(1);
    await check(undefined);
    await check(2);
    await check(undefined);
    expect(health.isHealthy).toBe(true);
    await check(undefined);
    expect(health.isHealthy).toBe(false);
    await check(undefined);
    expect(health.head?.number).toBe(2);
    await check(3);
    expect(changes).toEqual([
      [true, ''],
      [false, 'no answer'],
      [true, ''],
    ]);
  });

  it('reports once why a node has never been healthy', async () => {
    const { changes, check } = follow();
    await check(undefined);
    await check(undefined);
    await check(undefined);
    expect(changes).toEqual([[false, 'no answer']]);
  });

  it('measures growth without jumps that no chain makes', async () => {
    const { health, clock, check } = follow();
    for (const height of [100, 102, 104, 2 ** 53 - 1, 106, 108, 1_000_000, 1_000_002]) {
      await check(height);
      expect(health.blocks_per_s).toBeLessThanOrEqual(2);
      clock.pass(1_000);
    }
    expect(health.blocks_per_s).toBeGreaterThan(0.5);
  });

  it('becomes unhealthy when the connection is lost', async () => {
    const { health, changes, check } = follow();
    await check(1);
    health.lose('closed with 1006');
    health.lose('ECONNREFUSED');
    expect(health.isHealthy).toBe(false);
    expect(changes).toEqual([
      [true, ''],
      [false, 'closed with 1006'],
    ]);
  });

  it('probes the finalized block every few probes and keeps the last one', async () => {
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

  it('measures how fast the head grows', async () => {
    const { health, clock, check } = follow();
    for (let second = 0; second < 60; second += 1) {
      await check(1_000 + second * 4);
      clock.pass(1_000);
    }
    expect(health.blocks_per_s).toBeCloseTo(4, 1);
    await check(1);
    expect(health.blocks_per_s).toBeLessThan(4);
    for (let second = 0; second < 60; second += 1) {
      clock.pass(1_000);
      await check(1);
    }
    expect(health.blocks_per_s).toBeCloseTo(0, 1);
  });
});
