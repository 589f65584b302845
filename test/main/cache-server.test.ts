import { expect, it, onTestFinished } from 'vitest';
import { startAnvil } from '../../src/devnet/evm/anvil.ts';
import { protocol } from '../../src/main/dependencies.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { configFor, start, type TestGateway } from './support.ts';

const BLOCK = ['0x1', false];

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).json();
}

async function lookups({ ops }: TestGateway): Promise<Record<string, number>> {
  const text = await (await fetch(new URL('metrics', ops!))).text();
  const found = text.matchAll(/^specgate_cache_lookups_total\{.*outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
}

async function startWith(node: string, cacheServer: string): Promise<TestGateway> {
  const config = await configFor([new URL(node)]);
  return start(
    {
      ...config,
      networks: config.networks.map((network) => ({ ...network, cacheServer })),
      limits: { ...config.limits, probes_per_finalized: 1 },
    },
    { protocol },
  );
}

async function startNode(): Promise<string> {
  const anvil = await startAnvil(0, ['--slots-in-an-epoch', '1']);
  onTestFinished(() => anvil.stop());
  const node = `http://127.0.0.1:${anvil.port}`;
  await ask(node, 'anvil_mine', ['0x10']);
  return node;
}

it.skipIf(!hasRedis)('a gateway answers with what another one has cached', async () => {
  const node = await startNode();
  const redis = await startRedis();
  const first = await startWith(node, redis.url);
  const second = await startWith(node, redis.url);
  const blocks = Array.from({ length: 16 }, (_, index) => `0x${index.toString(16)}`);
  const askFor = (url: string, number: string): Promise<unknown> =>
    ask(url, 'eth_getBlockByNumber', [number, false]);
  await expect.poll(() => first.log.join()).toContain('cache server available');
  await expect.poll(() => second.log.join()).toContain('cache server available');
  await expect
    .poll(async () => {
      for (const number of blocks) await askFor(first.rpcUrl, number);
      return (await lookups(first))['hit'];
    })
    .toBeGreaterThanOrEqual(blocks.length);
  // The second gateway looks nothing up before its node has named a finalized block.
  await expect
    .poll(async () => (await askFor(second.rpcUrl, '0x0'), (await lookups(second))['miss']))
    .toBe(1);
  // Beside other work a lookup may take too long, and the next ones are left out for a second.
  const rest = blocks.slice(1).values();
  await expect
    .poll(
      async () => {
        const number = rest.next().value!;
        expect(await askFor(second.rpcUrl, number)).toEqual(await askFor(node, number));
        return (await lookups(second))['server'];
      },
      { interval: 1_000, timeout: 20_000 },
    )
    .toBeGreaterThan(0);
});

it('a gateway whose cache server is gone asks the node, and says so', async () => {
  const node = await startNode();
  const gateway = await startWith(node, 'redis://user:a-password@127.0.0.1:1/0');
  const block = await ask(node, 'eth_getBlockByNumber', BLOCK);
  await expect
    .poll(async () => {
      expect(await ask(gateway.rpcUrl, 'eth_getBlockByNumber', BLOCK)).toEqual(block);
      return (await lookups(gateway))['unavailable'];
    })
    .toBeGreaterThan(0);
  await expect.poll(() => gateway.log.join()).toContain('cache server unavailable');
  expect(gateway.log.join()).not.toContain('a-password');
});
