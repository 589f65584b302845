import { describe, expect, it } from 'vitest';
import { storeOutages } from '../support/store-outages.ts';
import { eventually } from '../transport/eventually.ts';
import { request } from '../transport/support.ts';
import {
  configBefore,
  KEY,
  serveForTest,
  startNamedNode,
  startNodeThatWaits,
} from './load-support.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';

/** Serves a call that its node does not answer before `answer` is called; it ends as "cut" without an answer. */
async function serveCall(workers: number, limits: Readonly<Record<string, number>> = {}) {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const node = await startNodeThatWaits('a', () => promise);
  const serving = await serveForTest(configBefore(node, 0, { limits }), { workers });
  const call = request(`${serving.base}/v3/${KEY}`, { body }).catch(() => 'cut');
  await eventually(() => node.requests.some(({ params }) => params[0] === '0x1')).toBe(true);
  return { node, serving, call, answer };
}

describe('the exit code of serve', () => {
  it.each([1, 2])('is 0 once every lease is returned (workers: %i)', async (workers) => {
    const node = await startNamedNode('a', 1);
    const serving = await serveForTest(configBefore(node, 0), { workers });
    expect((await request(`${serving.base}/v3/${KEY}`, { body })).status).toBe(200);
    expect(await serving.stop()).toBe(0);
  });

  it.each([1, 2])('is 1 when leases could not be returned (workers: %i)', async (workers) => {
    const outage = await storeOutages.refused.prepare();
    const node = await startNamedNode('a', 1);
    const config = configBefore(node, 0, { store: outage.address });
    const serving = await serveForTest(config, { workers });
    expect((await request(`${serving.base}/v3/${KEY}`, { body })).status).toBe(200);
    outage.begin();
    expect(await serving.stop()).toBe(1);
    expect(serving.log()).toContain('not all leases were returned');
    expect(serving.log()).toContain('failed to stop cleanly');
  });

  it.each([1, 2])('is 1 when calls were cut (workers: %i)', async (workers) => {
    const { serving, call, answer } = await serveCall(workers, { drain_ms: 500 });
    expect(await serving.stop()).toBe(1);
    expect(await call).toBe('cut');
    expect(serving.log()).toContain('calls cut at the end of drain_ms (500 ms): 1');
    answer();
  });

  it.each([1, 2])(
    'is 1 when calls of a replaced configuration were cut (workers: %i)',
    async (workers) => {
      const limits = { drain_ms: 2_000 };
      const { node, serving, call, answer } = await serveCall(workers, limits);
      const next = configBefore(node, 0, { limits: { ...limits, attempt_ms: 14_000 } });
      expect(await serving.reload(next)).toContain('configuration reloaded');
      expect(await serving.stop()).toBe(1);
      await call;
      expect(serving.log()).toContain('calls cut at the end of drain_ms (2000 ms): 1');
      answer();
    },
  );

  it.each([1, 2])('is 1 after a second signal (workers: %i)', async (workers) => {
    const { serving, call, answer } = await serveCall(workers);
    const stopped = serving.stop();
    const readiness = async (): Promise<number> =>
      (await fetch(new URL('readyz', serving.ops))).status;
    await eventually(readiness).toBe(503);
    process.kill(serving.pid, 'SIGINT');
    expect(await stopped).toBe(1);
    expect(await call).toBe('cut');
    expect(serving.log()).toContain('interrupted by a second signal');
    answer();
  });

  it('is 1 when a worker exits before it has answered its calls', async () => {
    const { serving, call, answer } = await serveCall(2);
    const stopped = serving.stop();
    const readiness = async (): Promise<number> =>
      (await fetch(new URL('readyz', serving.ops))).status;
    await eventually(readiness).toBe(503);
    const started = serving.log().matchAll(/"pid":(\d+),"msg":"worker started"/g);
    for (const [, pid] of started) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // The one without a call has ended.
      }
    }
    expect(await call).toBe('cut');
    expect(await stopped).toBe(1);
    answer();
  });

  it.each([1, 2])('is 2 when it cannot start (workers: %i)', async (workers) => {
    const node = await startNamedNode('a', 1);
    const config = configBefore(node, 0, { store: '/proc/specgate/store.sqlite' });
    await expect(serveForTest(config, { workers })).rejects.toThrow(/ended with 2 before/);
  });
});
