import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { LateCalls } from '../../src/upstream/socket/late-calls.ts';
import type { PendingCall } from '../../src/upstream/socket/pending-call.ts';
import { defaultUpstreamLimits } from '../../src/upstream/limits.ts';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import type { StreamingOutcome, UpstreamCall } from '../../src/upstream/upstream.ts';
import { fakeClock } from './clock.ts';
import { startFakeNode, type NodeRequest } from './fake-node.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { probeAnswer } from './probe-answer.ts';
import { callOf, startNetwork, textOf } from './support.ts';

const { signal } = new AbortController();

it.each([
  ['a call', 1],
  ['a batch', 3],
])(
  '%s that has timed out over a WebSocket keeps its slots until the node responds',
  async (_, size) => {
    const late: (() => void)[] = [];
    const node = await startFakeSocketNode(({ id, method }, socket) => {
      if (method !== 'eth_slow') return '"ok"';
      return void late.push(() => socket.send(`{"id":${id},"result":"late"}`));
    });
    const network = await startNetwork([node.url], {
      limits: { attempt_ms: 50, probe_interval_ms: 60_000, upstream_calls_in_flight: 2 * size },
    });
    const batch = size === 1 ? undefined : {};
    const askAs = (account: string, method: string): Promise<StreamingOutcome> =>
      network.stream(callOf(method, '[]', { account, batch }), signal);
    const askAll = (method: string): Promise<StreamingOutcome>[] =>
      Array.from({ length: size }, () => askAs('slow', method));
    const outcomes = await Promise.all([...askAll('eth_slow'), ...askAll('eth_slow')]);
    expect(new Set(outcomes.map(textOf))).toEqual(new Set(['timeout']));
    expect(network.status()).toMatchObject([{ inFlight: 2 * size }]);
    const waiting = askAs('slow', 'eth_next');
    // One of the reserved slots is free for another account.
    expect(textOf(await network.stream(callOf('eth_other', '[]', { account: 'b' }), signal))).toBe(
      '"ok"',
    );
    expect(node.requests.map(({ method }) => method)).not.toContain('eth_next');
    for (const respond of late) respond();
    expect(textOf(await waiting)).toBe('"ok"');
    await expect.poll(() => network.status()).toMatchObject([{ inFlight: 0 }]);
  },
);

it.each([
  // With two for probes, and one or two of the others for accounts below their share.
  ['a call', 1, 5],
  ['a batch', 3, 10],
])(
  '%s that has timed out over HTTP keeps its slots until a node with callsInFlight responds',
  async (_, size, callsInFlight) => {
    const late: (() => void)[] = [];
    const asked: string[] = [];
    const node = createServer(async (request, response) => {
      const body = JSON.parse(await text(request)) as NodeRequest | readonly NodeRequest[];
      const requests = [body].flat();
      const results = requests.map((each) => {
        const result = probeAnswer(each) ?? '"ok"';
        return `{"jsonrpc":"2.0","id":${each.id},"result":${result}}`;
      });
      const respond = (): void =>
        void response.end(Array.isArray(body) ? `[${results}]` : results[0]);
      const calls = requests.filter((each) => probeAnswer(each) === undefined);
      asked.push(...calls.map(({ method }) => method));
      const isSlow = calls.some(({ method }) => method === 'eth_slow');
      if (isSlow && Array.isArray(body) === size > 1) late.push(respond);
      else respond();
    });
    onTestFinished(() => void node.close().closeAllConnections());
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    const { port } = node.address() as AddressInfo;
    const network = await startNetwork([new URL(`http://127.0.0.1:${port}/`)], {
      limits: {
        attempt_ms: 100,
        probe_interval_ms: 60_000,
        call_deadline_ms: 60_000,
        upstream_connections: 64,
      },
      nodes: [{ callsInFlight }],
    });
    const batch = size === 1 ? undefined : {};
    const askAs = (account: string, method: string): Promise<StreamingOutcome> =>
      network.stream(callOf(method, '[]', { account, batch }), signal);
    const calls = Array.from({ length: 2 * size }, () => askAs('slow', 'eth_slow'));
    // The calls of a batch wait for further slots to be sent again alone.
    if (size === 1) await Promise.all(calls);
    const inFlight = size === 1 ? 2 : 4 * size;
    await expect.poll(() => network.status()).toMatchObject([{ inFlight }]);
    const waiting = askAs('slow', 'eth_next');
    expect(textOf(await network.stream(callOf('eth_other', '[]', { account: 'b' }), signal))).toBe(
      '"ok"',
    );
    expect(asked.filter((method) => method !== 'eth_other')).toEqual(calls.map(() => 'eth_slow'));
    for (const respond of late) respond();
    expect(textOf(await waiting)).toBe('"ok"');
    const outcome = size === 1 ? 'timeout' : '"ok"';
    expect(new Set((await Promise.all(calls)).map(textOf))).toEqual(new Set([outcome]));
    await expect.poll(() => network.status()).toMatchObject([{ inFlight: 0 }]);
  },
);

it.each([
  ['keeps its slot', 'eth_stream', false, 5],
  ['keeps its slot until the node has responded if its caller leaves', 'eth_stream', true, 5],
  // Other accounts would have no slot.
  ['keeps no slot where there is only one', 'eth_stream', false, 3],
])(
  'a streamed result of a node with callsInFlight %s',
  async (_, method, leaves, callsInFlight) => {
    const started: (() => void)[] = [];
    const node = await startFakeNode((request, response) => {
      if (request.method !== method) return '"ok"';
      response.write(`{"id":${request.id},"result":"${'x'.repeat(100_000)}`);
      started.push(() => response.end('"}'));
      return undefined;
    });
    const network = await startNetwork([node.url], {
      limits: { upstream_connections: 16, call_deadline_ms: 60_000 },
      nodes: [{ callsInFlight }],
    });
    const caller = new AbortController();
    const streams = Array.from({ length: callsInFlight === 3 ? 1 : 2 }, () =>
      network.stream(callOf(method, '[]', { account: 'slow', streams: true }), caller.signal),
    );
    expect((await Promise.all(streams)).map(textOf)).toEqual(streams.map(() => 'stream'));
    if (leaves) caller.abort();
    const next = network.stream(callOf('eth_next', '[]', { account: 'slow' }), signal);
    for (let count = 0; count < 3; count += 1) {
      const other = network.stream(callOf('eth_other', '[]', { account: 'b' }), signal);
      expect(textOf(await other)).toBe('"ok"');
    }
    const isSent = node.requests.some((each) => each.method === 'eth_next');
    expect(isSent).toBe(callsInFlight === 3);
    for (const end of started) end();
    if (!leaves) caller.abort();
    expect(textOf(await next)).toBe('"ok"');
  },
);

it.each([
  // Nodes such as Erigon work on a call for minutes.
  ['HTTP', true, 'late_response_ms'],
  ['WebSocket', true, 'late_response_ms'],
  ['WebSocket', false, 'call_deadline_ms'],
] as const)(
  'a node over %s (limited: %s) is taken to work on an ended call for %s',
  async (transport, isLimited, limit) => {
    const asked = Promise.withResolvers<void>();
    const behavior = (request: NodeRequest): string | undefined =>
      request.method === 'eth_slow' ? void asked.resolve() : probeAnswer(request);
    const { url } =
      transport === 'HTTP' ? await startFakeNode(behavior) : await startFakeSocketNode(behavior);
    const clock = fakeClock();
    const ready = Promise.withResolvers<void>();
    const upstream = openUpstream(
      { url, headers: {}, isLimited },
      { startTimer: clock.startTimer, limits: { upstream_heartbeat_ms: 1e9 } },
    );
    onTestFinished(() => upstream.close());
    await upstream.start({
      verify: () => Promise.resolve(undefined),
      onReady: () => ready.resolve(),
      onDropped: expect.unreachable,
    });
    if (transport === 'WebSocket') await ready.promise;
    const caller = new AbortController();
    let ended: boolean | undefined;
    const call: UpstreamCall = {
      ...callOf('eth_slow', '[]', { account: 'a' }),
      onUncanceled(promise) {
        ended = false;
        void promise.then(() => (ended = true));
      },
    };
    const outcome = upstream.call(call, caller.signal);
    await asked.promise;
    caller.abort();
    expect(textOf(await outcome)).toBe('aborted');
    clock.pass(defaultUpstreamLimits[limit] - 1);
    await Promise.resolve();
    expect(ended).toBe(false);
    clock.pass(1);
    await expect.poll(() => ended).toBe(true);
  },
);

it('a call is late until its response arrives, the connection ends, or its time is over', async () => {
  const clock = fakeClock();
  const late = new LateCalls({ late_ms: 1_000, startTimer: clock.startTimer });
  const ended: string[] = [];
  const add = (id: string): void => {
    const call = { id, account: 'a' } as PendingCall;
    void late.add(call).then(() => ended.push(id));
  };
  const afterAll = async (): Promise<readonly string[]> => {
    await Promise.resolve();
    return ended;
  };
  for (const id of ['1', '2']) add(id);
  expect(late.delete('1')).toBe('a');
  expect(await afterAll()).toEqual(['1']);
  clock.pass(1_000);
  expect(await afterAll()).toEqual(['1', '2']);
  // Its response may still arrive.
  expect(late.has('2')).toBe(true);
  for (let id = 3; id <= 4_098; id += 1) add(String(id));
  expect(late.size).toBe(4_096);
  add('4099');
  expect(await afterAll()).toEqual(['1', '2', '3']);
  late.clear();
  expect((await afterAll()).length).toBe(4_099);
  expect(late.size).toBe(0);
});
