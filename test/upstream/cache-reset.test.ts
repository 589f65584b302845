import { expect, it } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import { startFakeNode } from './fake-node.ts';
import { atHeight } from './probe-answer.ts';
import { callOf, startNetwork } from './support.ts';

it.each([
  ['the latest', 'latest'],
  ['the finalized', 'finalized'],
])('the cache is emptied when %s block goes back, also without calls', async (_, tag) => {
  const node = await startFakeNode(() => '{"x":1}');
  node.answerProbes(atHeight(100));
  const network = await startNetwork([node.url], {
    limits: { probe_interval_ms: 20, probes_per_finalized: tag === 'finalized' ? 1 : 1_000 },
    cacheRules: {
      immutabilityOf: () => ({ block: { in: 'params', pointer: '/0' } }),
      isShared: () => false,
      isValid: () => true,
    },
  });
  for (let round = 0; round < 2; round += 1) {
    await network.call(callOf('eth_block', '["0x5"]'), NEVER);
  }
  expect(network.cache().entries).toBe(1);
  const high = atHeight(100);
  const low = atHeight(10);
  node.answerProbes((request) => (request.params[0] === tag ? low(request) : high(request)));
  await expect.poll(() => network.cache().entries).toBe(0);
});
