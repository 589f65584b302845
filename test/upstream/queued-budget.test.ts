import { expect, it } from 'vitest';
import { probeInterval } from '../../src/upstream/health/follow-nodes.ts';
import { defaultUpstreamLimits } from '../../src/upstream/limits.ts';
import { startFakeNode } from './fake-node.ts';
import { callOf, startNetwork, textOf } from './support.ts';

const { signal } = new AbortController();

it('the budget of a node applies to calls that were queued while it was not spent', async () => {
  const node = await startFakeNode();
  // Two probes and four calls.
  const network = await startNetwork([node.url], {
    nodes: [{ budget: { callsPerDay: 6 } }],
    limits: { probe_interval_ms: 60_000, upstream_calls_in_flight: 1 },
  });
  const calls = Array.from({ length: 7 }, () =>
    network.stream(callOf('eth_test', '[]', { account: 'a' }), signal),
  );
  const texts = (await Promise.all(calls)).map(textOf);
  expect(texts).toEqual([...Array.from({ length: 4 }, () => '"ok"'), 'none', 'none', 'none']);
  expect(node.requests).toHaveLength(4);
});

it('an account below its share waits for a call of a budget that another account has spent', async () => {
  const node = await startFakeNode();
  const network = await startNetwork([node.url], {
    nodes: [{ budget: { callsPerSecond: 10 } }],
    limits: { probe_interval_ms: 60_000 },
  });
  const callsAs = (account: string, count: number): Promise<string>[] =>
    Array.from({ length: count }, async () =>
      textOf(await network.stream(callOf('eth_test', '[]', { account }), signal)),
    );
  const greedy = await Promise.all(callsAs('greedy', 20));
  expect(greedy).toContain('none');
  // More than the calls that are always reserved.
  const others = ['a', 'b', 'c', 'd'].flatMap((account) => callsAs(account, 1));
  expect(await Promise.all([...others, ...callsAs('greedy', 1)])).toEqual([
    ...others.map(() => '"ok"'),
    'none',
  ]);
});

it('does not wait for a budget that has no call before the deadline', async () => {
  const node = await startFakeNode();
  const network = await startNetwork([node.url], {
    // Spent by two probes, so that the next call is due after 200 seconds.
    nodes: [{ budget: { callsPerSecond: 0.01 } }],
    limits: { probe_interval_ms: 60_000, call_deadline_ms: 60_000 },
  });
  expect(textOf(await network.stream(callOf('eth_test', '[]', { account: 'a' }), signal))).toBe(
    'none',
  );
});

it.each([
  [undefined, 1_000],
  [{ callsPerSecond: 50 }, 1_000],
  [{ callsPerSecond: 5 }, 1_000],
  [{ callsPerSecond: 1 }, 5_000],
  [{ callsPerSecond: 0.01 }, 60_000],
  [{ callsPerDay: 86_400 }, 5_000],
  [{ callsPerSecond: 2, callsPerDay: 864_000 }, 2_500],
  [{ callsPerDay: 0 }, 60_000],
])('probes spend at most a fifth of the budget %o, once per minute at least', (budget, ms) => {
  const config = budget === undefined ? {} : { budget };
  expect(probeInterval(config, defaultUpstreamLimits)).toBe(ms);
});
