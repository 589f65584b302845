import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { STORE_UNAVAILABLE } from '../../src/ops/operations.ts';
import { atScale } from '../support/soak.ts';
import { storeOutages } from '../support/store-outages.ts';
import { configBefore, KEY, serveForTest, startNamedNode } from './load-support.ts';

/** An operation on a locked SQLite file fails after 5 s, and it takes two. */
const OUTAGE = { timeout: 40_000 };

/** Calls on a connection of its own, so that several workers take turns; returns the reason of the error. */
async function call(base: string): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' };
  const request = send(`${base}/v3/${KEY}`, { method: 'POST', headers, agent: false });
  request.end('{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { error } = JSON.parse(await text(response)) as { error?: { data: { reason: string } } };
  return error?.data.reason;
}

const { refused, locked, missing } = storeOutages;

describe.each([refused, locked, missing])('readiness while $name', (kind) => {
  const { prepare } = kind;
  it.each(kind === refused ? [1, 2] : atScale([1, 2], [2]))(
    'ends when calls are refused, and returns (workers: %i)',
    async (workers) => {
      const outage = await prepare();
      const node = await startNamedNode('a', 1);
      const limits = { lease_ttl_ms: 2_000, store_wait_ms: 2_000 };
      const config = configBefore(node, 0, { store: outage.address, limits });
      const { base, ops } = await serveForTest(config, { workers });
      const ready = async (): Promise<[number, unknown]> => {
        const response = await fetch(new URL('readyz', ops));
        return [response.status, await response.json()];
      };
      const reasons = async (): Promise<(string | undefined)[]> =>
        Promise.all(Array.from({ length: workers }, () => call(base)));
      await expect.poll(reasons, OUTAGE).not.toContain('store_unavailable');
      expect(await ready()).toMatchObject([200, { ready: true, store: true, causes: [] }]);

      outage.begin();
      await expect
        .poll(reasons, OUTAGE)
        .toEqual(Array.from({ length: workers }, () => 'store_unavailable'));
      await expect.poll(ready, OUTAGE).toEqual([
        503,
        {
          ready: false,
          phase: 'serving',
          networks: { evm: true },
          store: false,
          causes: [STORE_UNAVAILABLE],
        },
      ]);

      outage.end();
      // No call is made meanwhile: an instance that is not ready gets none.
      await expect.poll(ready, OUTAGE).toMatchObject([200, { store: true }]);
      await expect.poll(reasons, OUTAGE).not.toContain('store_unavailable');
    },
  );
});

describe('the log while the SQLite file is missing', () => {
  it('says once what is wrong and what to do', async () => {
    const outage = await missing.prepare();
    const node = await startNamedNode('a', 1);
    const limits = { lease_ttl_ms: 2_000 };
    const config = configBefore(node, 0, { store: outage.address, limits });
    const { base, log } = await serveForTest(config);
    outage.begin();
    // Each refused call needed the store again.
    await expect.poll(() => call(base), OUTAGE).toBe('store_unavailable');
    await expect.poll(() => call(base), OUTAGE).toBe('store_unavailable');
    const lines = log().match(/^.*was deleted while in use.*$/gm) ?? [];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('put the original file back');
    outage.end();
  });
});
