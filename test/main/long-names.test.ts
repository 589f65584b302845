import { expect, it } from 'vitest';
import { startFakeNode } from '../upstream/fake-node.ts';
import { configFor, start } from './support.ts';

it('rejects a member name in params that is longer than any name of the document', async () => {
  const node = await startFakeNode(() => '1');
  const { rpcUrl } = await start(await configFor([node.url]));
  const params = [{ ['/'.repeat(100_000)]: { first: 1, second: 2 } }];
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlock', params }),
  });
  const text = await response.text();
  expect(text).toContain('expected member names of at most 256 bytes, got a longer one');
  expect(text.length).toBeLessThan(2_000);
});
