import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import { eventually } from '../transport/eventually.ts';
import { call, connect, post, request } from '../transport/support.ts';
import { startFakeNode, type FakeNode } from '../upstream/fake-node.ts';
import { send } from '../upstream/stream-support.ts';
import { configFor, start, type TestGateway } from './support.ts';

const quick = { probe_interval_ms: 100, probe_ms: 5_000, lease_tick_ms: 20 };
const COST = 80;

interface Rig {
  readonly node: FakeNode;
  readonly gateway: TestGateway;
  readonly config: Config;
  /** Lets the node answer all it was asked, and will be. */
  readonly answer: () => void;
}

/** A gateway before a node that holds its answers back until the test lets it go. */
async function held(limits: Config['limits'] = {}): Promise<Rig> {
  const release = Promise.withResolvers<string>();
  const node = await startFakeNode(({ method }) =>
    method === 'eth_getBlock' ? release.promise : undefined,
  );
  const config = await configFor([node.url], { limits: { ...quick, ...limits } });
  const gateway = await start(config);
  return { node, gateway, config, answer: () => release.resolve('"late"') };
}

/** Connections to the network's address, as the gateway knows of them. */
async function connections(gateway: TestGateway, transport: string): Promise<number> {
  const text = await (await fetch(new URL('metrics', gateway.ops))).text();
  const label = `specgate_connections{network="evm",transport="${transport}"}`;
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(label))
      ?.split(' ')
      .at(-1),
  );
}

/** Sends a body, hangs up once `until` has come true, and waits until the gateway knows of it. */
async function abandon(
  { gateway }: Pick<Rig, 'gateway'>,
  body: string,
  until: () => Promise<unknown>,
): Promise<void> {
  const { port, pathname } = new URL(gateway.rpcUrl);
  const socket = createConnection(Number(port), '127.0.0.1');
  socket.write(post(body, pathname.split('/').at(-1)));
  await until();
  const open = await connections(gateway, 'http');
  // A FIN only says that a caller has sent all it will send; a reset says that it has left.
  socket.resetAndDestroy();
  await eventually(() => connections(gateway, 'http')).toBeLessThan(open);
}

const asked = (node: FakeNode, calls: number) => () =>
  eventually(() => node.requests.length).toBe(calls);

async function used(gateway: TestGateway): Promise<number> {
  const { body } = await request(`${gateway.rpcUrl}/usage`, { method: 'GET' });
  return (body as { used: number }).used;
}

/** How often calls have ended in this way, by the metrics. */
async function ended(gateway: TestGateway, outcome: string): Promise<number> {
  const text = await (await fetch(new URL('metrics', gateway.ops))).text();
  const name = 'specgate_calls_total{network="evm",method="eth_getBlock",outcome=';
  const line = text.split('\n').find((each) => each.startsWith(`${name}"${outcome}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('a call whose caller hangs up', () => {
  it('continues at the node once it was sent, and is charged when the node answers', async () => {
    const rig = await held();
    const { node, gateway, answer } = rig;
    for (let calls = 1; calls <= 3; calls += 1) await abandon(rig, call(), asked(node, calls));
    expect(await used(gateway)).toBe(0);
    answer();
    await eventually(() => used(gateway)).toBe(3 * COST);
    await eventually(() => ended(gateway, 'caller_left')).toBe(3);
  });

  it('over WebSocket is charged as well', async () => {
    const { node, gateway, answer } = await held();
    const client = await connect(gateway.wsUrl);
    for (let id = 1; id <= 3; id += 1) client.socket.send(call(id));
    await asked(node, 3)();
    client.socket.terminate();
    await eventually(() => connections(gateway, 'websocket')).toBe(0);
    answer();
    await eventually(() => used(gateway)).toBe(3 * COST);
    await eventually(() => ended(gateway, 'caller_left')).toBe(3);
  });

  it('is dropped free of charge while it is queued', async () => {
    const rig = await held({ upstream_connections: 1 });
    const { node, gateway, answer } = rig;
    const first = request(gateway.rpcUrl, { body: call(1) });
    await asked(node, 1)();
    const inFlight = async (): Promise<unknown> =>
      (await (await fetch(new URL('metrics', gateway.ops))).text()).includes(
        'specgate_calls_in_flight{network="evm"} 2',
      );
    await abandon(rig, call(2), () => eventually(inFlight).toBe(true));
    await eventually(() => ended(gateway, 'caller_left')).toBe(1);
    answer();
    expect((await first).status).toBe(200);
    expect(node.requests).toHaveLength(1);
    expect(await used(gateway)).toBe(COST);
  });

  it('of a batch is charged for the calls that were sent, and the others are not started', async () => {
    const rig = await held({ batch_concurrency: 2 });
    const { node, gateway, answer } = rig;
    await abandon(rig, `[${[1, 2, 3, 4, 5].map((id) => call(id)).join()}]`, asked(node, 2));
    answer();
    await eventually(() => used(gateway)).toBe(2 * COST);
    await eventually(() => ended(gateway, 'caller_left')).toBe(2);
    expect(node.requests).toHaveLength(2);
  });

  it('counts against the calls in flight of its account until the node has answered', async () => {
    const rig = await held({ account_calls_in_flight: 2 });
    const { node, gateway, answer } = rig;
    await abandon(rig, call(), asked(node, 1));
    await abandon(rig, call(), asked(node, 2));
    const refused = await request(gateway.rpcUrl, { body: call() });
    expect(refused).toMatchObject({
      status: 429,
      error: {
        code: -32005,
        data: { reason: 'too_many_calls_in_flight', scope: 'account', limitCalls: 2 },
      },
    });
    answer();
    await eventually(() => used(gateway)).toBe(2 * COST);
    expect((await request(gateway.rpcUrl, { body: call() })).status).toBe(200);
  });

  it('costs nothing when the node does not answer within the deadline', async () => {
    const rig = await held({ call_deadline_ms: 2_000 });
    const { node, gateway } = rig;
    await abandon(rig, call(), asked(node, 1));
    await eventually(() => ended(gateway, 'caller_left')).toBe(1);
    expect(await used(gateway)).toBe(0);
  });

  it('is charged for a large result, of which only the beginning is read', async () => {
    const closed = Promise.withResolvers<void>();
    const begin = Promise.withResolvers<void>();
    const node = await startFakeNode(async ({ id, method }, response) => {
      if (method !== 'eth_getBlock') return undefined;
      response.once('close', closed.resolve);
      await begin.promise;
      response.write(`{"id":${id},"result":["x"`);
      while (!response.destroyed) await send(response, `,"${'x'.repeat(65_000)}"`);
      return undefined;
    });
    const gateway = await start(await configFor([node.url], { limits: quick }));
    await abandon({ gateway }, call(), asked(node, 1));
    begin.resolve();
    await closed.promise;
    await eventually(() => used(gateway)).toBe(COST);
    await eventually(() => ended(gateway, 'caller_left')).toBe(1);
  });

  it('delays a stop by the drain time at most, and then costs nothing', async () => {
    const rig = await held({ drain_ms: 200, call_deadline_ms: 120_000, attempt_ms: 120_000 });
    const { node, gateway, config } = rig;
    await abandon(rig, call(), asked(node, 1));
    const client = await connect(gateway.wsUrl);
    client.socket.send(call(2));
    await asked(node, 2)();
    client.socket.terminate();
    await eventually(() => connections(gateway, 'websocket')).toBe(0);
    await gateway.stop();
    expect(await used(await start(config))).toBe(0);
  });
});
