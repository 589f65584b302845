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
