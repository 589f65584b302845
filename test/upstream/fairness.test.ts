import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UpstreamEvent } from '../../src/upstream/events.ts';
import type { OpenUpstream } from '../../src/upstream/upstream.ts';
import { createNetwork, type Network } from '../../src/upstream/network.ts';
import type { UpstreamLimits } from '../../src/upstream/limits.ts';
import { probeAnswer } from './probe-answer.ts';
import { callOf, textOf } from './support.ts';

/** How long the node takes for a call. */
const NODE_MS = 8_000;

const EIGHT = Array.from({ length: 8 }, () => 'victim');
const ANSWERED = EIGHT.map(() => ['1', NODE_MS]);

let now_ms = 0;
const clock = { now_ms: () => now_ms, monotonic_ms: () => now_ms };

beforeEach(() => {
  now_ms = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function pass(time_ms: number): Promise<void> {
  for (let passed_ms = 0; passed_ms < time_ms; passed_ms += 1_000) {
    now_ms += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

interface Rig {
  readonly network: Network;
  readonly events: UpstreamEvent[];
  /** Calls as an account; returns the outcome and its duration. */
  ask(account: string): Promise<readonly [outcome: string, took_ms: number]>;
}

/** A network over one node that takes 8 s for a call. */
async function slowNetwork(limits: Partial<UpstreamLimits>): Promise<Rig> {
  const upstream: OpenUpstream = {
    async call({ method, params }, signal) {
      const parsed = JSON.parse(params.toString()) as unknown[];
      const known = probeAnswer({ method, params: parsed });
      if (known !== undefined) return { kind: 'result', result: Buffer.from(known) };
      await new Promise((resolve) => {
        setTimeout(resolve, NODE_MS);
        signal.addEventListener('abort', resolve);
      });
      return { kind: 'result', result: Buffer.from('1') };
    },
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const events: UpstreamEvent[] = [];
  const network = createNetwork({
    family: 'evm',
    identity: undefined,
    upstreams: [{ name: 'node', upstream }],
    limits,
    observe: (event) => events.push(event),
    clock,
  });
  await network.start();
  return {
    network,
    events,
    async ask(account) {
      const started_ms = now_ms;
      const { signal } = new AbortController();
      const outcome = await network.call(callOf('eth_slow', '[]', { account }), signal);
      return [textOf(outcome), now_ms - started_ms];
    },
  };
}

describe('a node that takes 8 seconds for a call', () => {
  it('does not lose time of an attempt, or health, to time in the queue', async () => {
    const { network, ask, events } = await slowNetwork({
      upstream_calls_in_flight: 1,
      attempt_ms: 10_000,
      call_deadline_ms: 60_000,
      breaker_failures: 1,
    });
    const calls = Promise.all(Array.from({ length: 5 }, () => ask('a')));
    await pass(40_000);
    expect(await calls).toEqual([1, 2, 3, 4, 5].map((place) => ['1', place * NODE_MS]));
    expect(network.status()[0]!.breaker).toBe('closed');
    const durations = events.flatMap((event) =>
      event.kind === 'outcome' ? [event.duration_ms] : [],
    );
    expect(durations).toEqual(Array(5).fill(NODE_MS));
    await network.stop();
  });

  it('stays healthy when calls get no slot in time, and works on none in vain', async () => {
    const { network, ask, events } = await slowNetwork({
      upstream_calls_in_flight: 1,
      call_deadline_ms: 12_000,
      breaker_failures: 1,
    });
    const calls = Promise.all(Array.from({ length: 4 }, () => ask('a')));
    await pass(12_000);
    const outcomes = (await calls).map(([outcome]) => outcome);
    expect(outcomes).toEqual(['1', 'timeout', 'timeout', 'timeout']);
    // The second one would have had 4 of the 8 seconds.
    expect(events.filter(({ kind }) => kind === 'outcome')).toHaveLength(1);
    expect(network.status()[0]!.breaker).toBe('closed');
    await network.stop();
  });

  it('serves an account beside a flood from another as if it were alone', async () => {
    const limits = { upstream_calls_in_flight: 64, attempt_ms: 10_000 };
    const alone = await slowNetwork(limits);
    const expected = Promise.all(EIGHT.map((name) => alone.ask(name)));
    await pass(NODE_MS);
    expect(await expected).toEqual(ANSWERED);
    await alone.network.stop();

    const beside = await slowNetwork(limits);
    const flood = Array.from({ length: 2_000 }, () => beside.ask('flood'));
    await pass(4_000);
    for (let round = 0; round < 3; round += 1) {
      const calls = Promise.all(EIGHT.map((name) => beside.ask(name)));
      flood.push(...Array.from({ length: 500 }, () => beside.ask('flood')));
      await pass(NODE_MS);
      expect(await calls).toEqual(ANSWERED);
    }
    await beside.network.stop();
    await pass(60_000);
    await Promise.all(flood);
  });
});
