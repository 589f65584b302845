import { describe, expect, it } from 'vitest';
import { eventually } from '../transport/eventually.ts';
import { call, request } from '../transport/support.ts';
import { startFakeSocketNode } from '../upstream/fake-socket-node.ts';
import { configFor, start } from './support.ts';

/** A gateway with an account that may have one call in flight, before a node that does not respond. */
async function rig({ call_deadline_ms = 120_000, drain_ms = 15_000 } = {}) {
  const late: (() => void)[] = [];
  const node = await startFakeSocketNode(({ id }, socket) => {
    late.push(() => socket.send(`{"jsonrpc":"2.0","id":${id},"result":"late"}`));
    return undefined;
  });
  const config = await configFor([node.url], {
    limits: {
      probe_interval_ms: 100,
      probe_ms: 5_000,
      reconnect_first_ms: 20,
      attempt_ms: 100,
      call_deadline_ms,
      account_calls_in_flight: 1,
      drain_ms,
    },
  });
  const gateway = await start(config);
  const status = async (): Promise<number> =>
    (await request(gateway.rpcUrl, { body: call() })).status;
  expect(await status()).toBe(504);
  return { node, gateway, late, status };
}

describe('a call over a WebSocket that has timed out counts as in flight', () => {
  it('until the node has responded', async () => {
    const { node, late, status } = await rig();
    expect(await status()).toBe(429);
    expect(node.requests).toHaveLength(1);
    node.behave(() => '"ok"');
    late[0]!();
    await eventually(status).toBe(200);
  });

  it('until the connection has ended', async () => {
    const { node, status } = await rig();
    expect(await status()).toBe(429);
    node.behave(() => '"ok"');
    node.cut();
    await eventually(status).toBe(200);
  });

  it('for no longer than another deadline', async () => {
    const { node, status } = await rig({ call_deadline_ms: 500 });
    node.behave(() => '"ok"');
    await eventually(status).toBe(200);
  });

  it('but does not delay a stop', async () => {
    const { gateway } = await rig({ drain_ms: 600_000 });
    await gateway.stop();
  });
});
