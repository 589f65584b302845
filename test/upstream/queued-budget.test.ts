import { expect, it } from 'vitest';
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
