import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import { eventually } from '../transport/eventually.ts';
import { call, connect, request } from '../transport/support.ts';
import { startFakeNode, type FakeNode } from '../upstream/fake-node.ts';
import { send } from '../upstream/stream-support.ts';
import { configFor, KEY, start, type TestGateway, withoutCache } from './support.ts';

const FLOOD_KEY = 'sg-key-of-the-flood-0123456789';
const SLOTS = 8;
/** Calls to a node are sent in batches of up to half of the slots; the next one may wait for all of its own. */
const HELD_IN_BATCHES = SLOTS / 2;
/** Above which no account has calls in flight here. */
const CALLS_IN_FLIGHT = 100;
const quick = { probe_interval_ms: 50, probe_ms: 5_000, lease_tick_ms: 20, key_refresh_ms: 20 };

/** No call of the flood times out, however busy the machine is. */
const patient = { attempt_ms: 100_000, call_deadline_ms: 100_000 };

const plan = { plan: 'custom', creditsPerDay: 1_000_000_000, callsPerSecond: 100_000 };

interface SlowNode extends FakeNode {
  /** Calls it was asked and has not answered, by whether they are the flood's. */
  held(isFlood: boolean): number;
  /** Answers the flood, and from now on at once. */
  answerFlood(): void;
}

/**
 * A node that answers the victim at once, and the flood when the test says so: it takes its time. It works
 * on `places` calls at a time; others wait in the order of their arrival.
 */
async function slowNode(places = Infinity): Promise<SlowNode> {
  let flood: (() => void)[] = [];
  let isSlow = true;
  let working = 0;
  const arrived: (() => void)[] = [];
  const node = await startFakeNode(async ({ method, params }) => {
    if (method !== 'eth_getBlock') return undefined;
    if (working < places) working += 1;
    else await new Promise<void>((resolve) => arrived.push(resolve));
    if (params[0] === '0x1' && isSlow) await new Promise<void>((resolve) => flood.push(resolve));
    const next = arrived.shift();
    if (next === undefined) working -= 1;
    else next();
    return '"answer"';
  });
  return {
    ...node,
    held: (isFlood) =>
      isFlood ? flood.length : node.requests.filter(({ params }) => params[0] !== '0x1').length,
    answerFlood() {
      isSlow = false;
      for (const answer of flood) answer();
      flood = [];
    },
  };
}

interface Rig {
  readonly gateway: TestGateway;
  readonly floodUrl: string;
  readonly floodWsUrl: string;
}

async function gatewayBefore(
  nodes: readonly FakeNode[],
  network: Partial<Config['networks'][number]> = {},
  limits: Config['limits'] = {},
): Promise<Rig> {
  const config = withoutCache(await configFor(nodes.map(({ url }) => url)));
  const gateway = await start({
    ...config,
    networks: [{ ...config.networks[0]!, identity: '31337', ...network }],
    accounts: [
      { id: 'victim', ...plan, keys: [{ key: KEY, allow: {} }] },
      { id: 'flood', ...plan, keys: [{ key: FLOOD_KEY, allow: {} }] },
    ],
    limits: {
      ...quick,
      upstream_connections: SLOTS,
      upstream_calls_queued: 150,
      account_calls_in_flight: CALLS_IN_FLIGHT,
      ...limits,
    },
  });
  const { http, ws } = gateway.networks[0]!;
  return {
    gateway,
    floodUrl: `${http}/v3/${FLOOD_KEY}`,
    floodWsUrl: `${ws}/ws/v3/${FLOOD_KEY}`,
  };
}

const victimCall = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getBlock', params: ['0x2', true] });

/** Four calls after one another, four at a time, a batch and one over WebSocket; all must succeed. */
async function useAsVictim({ rpcUrl, wsUrl }: TestGateway): Promise<void> {
  for (let id = 1; id <= 4; id += 1) {
    expect((await request(rpcUrl, { body: victimCall(id) })).body).toMatchObject({ id });
  }
  const ids = [1, 2, 3, 4];
  const together = await Promise.all(ids.map((id) => request(rpcUrl, { body: victimCall(id) })));
  expect(together.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const batch = await request(rpcUrl, { body: `[${ids.map(victimCall).join()}]` });
  expect(batch.body).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: 'answer' })));
  const client = await connect(wsUrl);
  client.socket.send(victimCall(9));
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 9, result: 'answer' });
}

const reasonOf = (body: unknown): string =>
  (body as { error?: { data: { reason: string } } }).error?.data.reason ?? 'ok';

const THOUSAND = `[${Array.from({ length: 1_000 }, (_, id) => call(id)).join()}]`;

describe('an account that floods a network whose node is slow', () => {
  it('by batches of 1,000 leaves another account its answers, and the node its probes', async () => {
    const node = await slowNode();
    const { gateway, floodUrl } = await gatewayBefore([node], {}, patient);
    const flood = [1, 2, 3].map(() => request(floodUrl, { body: THOUSAND }));
    await eventually(() => node.held(true)).toBeGreaterThan(HELD_IN_BATCHES);
    await useAsVictim(gateway);
    expect(node.held(true)).toBeGreaterThan(HELD_IN_BATCHES);
    expect(node.held(true)).toBeLessThanOrEqual(SLOTS);
    expect(await gateway.ready()).toBe(200);
    node.answerFlood();
    const answers = (await Promise.all(flood)).flatMap(({ body }) => body as object[]);
    expect(answers).toHaveLength(3_000);
    expect(answers.every((answer) => 'result' in answer)).toBe(true);
  });

  it('leaves another account a place if the node works on few calls at a time', async () => {
    const node = await slowNode(3);
    const defaults = { headers: {}, weight: 1, tier: 1, budget: {} };
    const upstream = { ...defaults, url: node.url.href, callsInFlight: 5 };
    const { gateway, floodUrl } = await gatewayBefore([], { upstreams: [upstream] }, patient);
    const flood = Array.from({ length: SLOTS }, (_, id) => request(floodUrl, { body: call(id) }));
    await eventually(() => node.held(true)).toBe(2);
    await useAsVictim(gateway);
    expect(node.held(true)).toBe(2);
    node.answerFlood();
    for (const { status } of await Promise.all(flood)) expect(status).toBe(200);
  });

  it('by frames of WebSockets is refused beyond its calls in flight, and no one else is', async () => {
    const node = await slowNode();
    const { gateway, floodWsUrl } = await gatewayBefore([node], {}, patient);
    const clients = [await connect(floodWsUrl), await connect(floodWsUrl)];
    for (let id = 0; id < CALLS_IN_FLIGHT; id += 1) {
      for (const { socket } of clients) socket.send(call(id));
    }
    const answered = (): number => clients.reduce((sum, { messages }) => sum + messages.length, 0);
    await eventually(answered).toBe(CALLS_IN_FLIGHT);
    expect(clients.flatMap(({ messages }) => messages)[0]).toMatchObject({
      error: {
        code: -32005,
        data: {
          reason: 'too_many_calls_in_flight',
          scope: 'account',
          limitCalls: CALLS_IN_FLIGHT,
        },
      },
    });
    await useAsVictim(gateway);
    expect(node.held(true)).toBe(SLOTS);
    node.answerFlood();
    await eventually(answered).toBe(2 * CALLS_IN_FLIGHT);
  });

  it('by calls that time out does not open the circuit breaker for another account', async () => {
    const nodes = [await slowNode(), await slowNode()];
    const { gateway, floodUrl } = await gatewayBefore(nodes, {}, { attempt_ms: 500 });
    for (let round = 0; round < 3; round += 1) {
      const ids = Array.from({ length: 4 * SLOTS }, (_, id) => id);
      const flood = ids.map((id) => request(floodUrl, { body: call(id) }));
      await useAsVictim(gateway);
      const reasons = (await Promise.all(flood)).map(({ body }) => reasonOf(body));
      expect(new Set(reasons)).toEqual(new Set(['upstream_timeout']));
      await useAsVictim(gateway);
    }
  });

  it('with hedged calls has no more of the slots of either node', async () => {
    const nodes = [await slowNode(), await slowNode()];
    const { gateway, floodUrl } = await gatewayBefore(nodes, { hedgeAfterMs: 20 });
    const flood = Promise.all(
      Array.from({ length: 3 }, () => request(floodUrl, { body: THOUSAND })),
    );
    const held = (): number[] => nodes.map((node) => node.held(true));
    await eventually(() => Math.min(...held())).toBeGreaterThan(HELD_IN_BATCHES);
    await useAsVictim(gateway);
    expect(Math.min(...held())).toBeGreaterThan(HELD_IN_BATCHES);
    expect(Math.max(...held())).toBeLessThanOrEqual(SLOTS);
    for (const node of nodes) node.answerFlood();
    await flood;
  });

  it('by large results that it does not read leaves another account its streams', async () => {
    const node = await startFakeNode(async ({ id, method }, response) => {
      if (method !== 'eth_getBlock') return undefined;
      response.write(`{"id":${id},"result":["x"`);
      while (!response.destroyed) await send(response, `,"${'x'.repeat(65_000)}"`);
      return undefined;
    });
    // Larger than what may be collected, a result can be had as a stream only.
    const limits = { upstream_streams: 2, response_bytes: 2_000_000 };
    const { gateway, floodUrl } = await gatewayBefore([node], {}, limits);
    const headers = { 'content-type': 'application/json' };
    const begin = (url: string): Promise<Response> =>
      fetch(url, { method: 'POST', headers, body: victimCall(1) });
    const flood = [await begin(floodUrl), await begin(floodUrl), await begin(floodUrl)];
    expect(flood.map(({ status }) => status)).toEqual([200, 200, 429]);
    const stream = await begin(gateway.rpcUrl);
    expect(stream.status).toBe(200);
    for (const { body } of [...flood, stream]) await body?.cancel();
  });
});
