import { expect, it } from 'vitest';
import { request } from '../transport/support.ts';
import { configBefore, KEY, serveForTest, startNamedNode } from './load-support.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';

it.each([1, 2])('calls go on when the log cannot be written (workers: %i)', async (workers) => {
  const node = await startNamedNode('a', 1);
  const config = configBefore(node, 0, { log: 'debug' });
  const serving = await serveForTest(config, { workers, before: 'exec 2>/dev/full' });
  for (let calls = 0; calls < 20; calls += 1) {
    expect((await request(`${serving.base}/v3/${KEY}`, { body })).status).toBe(200);
  }
  expect(await serving.stop()).toBe(0);
});
