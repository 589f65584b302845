import { describe, expect, it, vi } from 'vitest';
import { fakeTimers } from '../support/fake-timers.ts';
import { startFakeNode, type Behavior } from './fake-node.ts';
import { startFakeSocketNode, type SocketBehavior } from './fake-socket-node.ts';
import { send } from './stream-support.ts';
import { callOf, startNetwork, textOf, type WatchedNetwork } from './support.ts';

/** A way to fail, the cause that the network reports, and whether it is final. */
interface FailureCase<B> {
  readonly name: string;
  readonly behave: B;
  readonly cause: string;
  readonly isFinal?: true;
}

/** Passes by fake timers only, so that a node that answers never misses it. */
const TRY_MS = 5_000;
/** Deeper than a response may be, and still valid JSON. */
const DEEP = `${'['.repeat(600)}${']'.repeat(600)}`;
const MEGABYTE = Buffer.alloc(1_000_000, 0x78);

async function fiftyMegabytes(response: Parameters<Behavior>[1], id: number): Promise<undefined> {
  response.write(`{"id":${id},"result":"`);
  for (let sent = 0; sent < 50 && !response.destroyed; sent += 1) await send(response, MEGABYTE);
  response.end('"}');
  return undefined;
}

const httpFailures: FailureCase<Behavior>[] = [
  {
    name: 'times out',
    behave: () => {
      vi.advanceTimersByTime(TRY_MS);
      return new Promise(() => undefined);
    },
    cause: 'timeout',
  },
  { name: 'resets', behave: (_, response) => void response.destroy(), cause: 'connection' },
  {
    name: 'resets within the answer',
    behave: ({ id }, response) => {
      response.write(`{"id":${id},"result":[`, () => response.destroy());
      return new Promise(() => undefined);
    },
    cause: 'connection',
  },
  {
    name: 'answers 500',
    behave: ({ id }, response) => void response.writeHead(500).end(`{"id":${id},"result":1}`),
    cause: 'status',
  },
  {
    name: 'answers 429',
    behave: ({ id }, response) =>
      void response.writeHead(429).end(`{"id":${id},"error":{"code":429,"message":"slow down"}}`),
    cause: 'status',
  },
  {
    name: 'answers HTML',
    behave: (_, response) => void response.end('<html><body>It works!</body></html>'),
    cause: 'malformed',
  },
  {
    name: 'answers truncated JSON',
    behave: ({ id }, response) => void response.end(`{"jsonrpc":"2.0","id":${id},"result":{"a":[1`),
    cause: 'malformed',
  },
  {
    name: 'answers with a wrong id',
    behave: ({ id }, response) => void response.end(`{"id":${id + 1},"result":1}`),
    cause: 'malformed',
  },
  {
    name: 'answers 50 MB to a caller that takes 1 MB',
    behave: ({ id }, response) => fiftyMegabytes(response, id),
    cause: 'too_large',
    isFinal: true,
  },
  {
    name: 'nests its answer too deeply',
    behave: () => DEEP,
    cause: 'too_deep',
    isFinal: true,
  },
  {
    name: 'answers slowly, a byte at a time',
    behave: async ({ id }, response) => {
      response.write(`{"id":${id},"result":[`);
      for (let passed_ms = 0; passed_ms < TRY_MS; passed_ms += TRY_MS / 10) {
        await send(response, ' ');
        vi.advanceTimersByTime(TRY_MS / 10);
      }
      return undefined;
    },
    cause: 'timeout',
  },
  {
    name: 'says it is rate limited, with status 200',
    behave: ({ id }, response) =>
      void response.end(`{"id":${id},"error":{"code":-32005,"message":"limit exceeded"}}`),
    cause: 'unhealthy',
  },
];

const socketFailures: FailureCase<SocketBehavior>[] = [
  {
    name: 'times out',
    behave: () => void vi.advanceTimersByTime(TRY_MS),
    cause: 'timeout',
  },
  { name: 'resets', behave: (_, socket) => void socket.terminate(), cause: 'connection' },
  { name: 'closes', behave: (_, socket) => void socket.close(1013), cause: 'connection' },
  {
    name: 'sends nothing but HTML',
    behave: (_, socket) => {
      // One may be the response to the call, and 16 more show that the connection is useless.
      for (let sent = 0; sent < 17; sent += 1) socket.send('<html>');
      return undefined;
    },
    cause: 'interrupted',
  },
  {
    name: 'sends truncated JSON',
    behave: ({ id }, socket) => void socket.send(`{"id":${id},"result":[`),
    cause: 'malformed',
  },
  {
    name: 'sends nothing but wrong ids',
    behave: (_, socket) => {
      for (let sent = 0; sent < 16; sent += 1) socket.send('{"id":99999,"result":1}');
      return undefined;
    },
    cause: 'interrupted',
  },
  {
    name: 'sends 50 MB to a caller that takes 1 MB',
    behave: ({ id }, socket) => {
      socket.send(`{"id":${id},"result":"`, { fin: false });
      for (let sent = 0; sent < 50; sent += 1) socket.send(MEGABYTE, { fin: false, binary: false });
      socket.send('"}');
      return undefined;
    },
    cause: 'too_large',
    isFinal: true,
  },
  {
    name: 'nests its answer too deeply',
    behave: () => DEEP,
    cause: 'too_deep',
    isFinal: true,
  },
];

const { signal } = new AbortController();
const quiet = {
  limits: {
    attempt_ms: TRY_MS,
    call_deadline_ms: 40_000,
    partner_ms: 20_000,
    probe_interval_ms: 600_000,
    response_bytes: 1_000_000,
  },
};

async function expectFailure(
  network: WatchedNetwork,
  { cause, isFinal }: FailureCase<unknown>,
  second: 'none' | 'own' | 'partner',
): Promise<void> {
  const call = callOf('eth_test', '[]', { forwarding: 'included' });
  const answered = isFinal === true ? cause : '"good"';
  expect(textOf(await network.call(call, signal))).toBe(second === 'none' ? cause : answered);
  const low = await network.call({ ...call, forwarding: 'upgrade' }, signal);
  if (second === 'own') expect(textOf(low)).toBe(answered);
  else if (second === 'partner' && isFinal !== true) {
    expect(low).toMatchObject({ kind: 'failure', cause: 'none', upgrade: true });
  } else expect(textOf(low)).toBe(cause);
}

describe.each(httpFailures)('an HTTP upstream that $name', (failing) => {
  it('fails the call when it is the only node', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], quiet);
    fakeTimers();
    node.behave(onlyCalls(failing.behave));
    await expectFailure(network, failing, 'none');
  });

  it('is replaced by another node', async () => {
    const [node, good] = [await startFakeNode(), await startFakeNode(() => '"good"')];
    const network = await startNetwork([node.url, good.url], {
      ...quiet,
      nodes: [{ tier: 1 }, { tier: 2 }],
    });
    fakeTimers();
    node.behave(onlyCalls(failing.behave));
    await expectFailure(network, failing, 'own');
    expect(network.outcomes[0]).toEqual([
      'node-0',
      failing.cause === 'unhealthy' ? 'error' : failing.cause,
    ]);
  });

  it('is replaced by the partner for a plan with forwarding', async () => {
    const [node, partner] = [await startFakeNode(), await startFakeNode(() => '"good"')];
    const network = await startNetwork([node.url], { ...quiet, partner: partner.url });
    fakeTimers();
    node.behave(onlyCalls(failing.behave));
    await expectFailure(network, failing, 'partner');
    expect(partner.requests).toHaveLength(failing.isFinal === true ? 0 : 1);
  });
});

describe.each(socketFailures)('a WebSocket upstream that $name', (failing) => {
  it('fails the call when it is the only node', async () => {
    const node = await startFakeSocketNode();
    const network = await startNetwork([node.url], quiet);
    const pass = fakeTimers();
    node.behave(failing.behave);
    let outcome: string | undefined;
    void network.call(callOf('eth_test', '[]'), signal).then((ended) => (outcome = textOf(ended)));
    // A call waits for a node that lost its connection.
    await expect
      .poll(() => (network.status()[0]!.isHealthy ? undefined : pass(100), outcome))
      .toBe(failing.cause);
  });

  it('is replaced by another node or the partner', async () => {
    const node = await startFakeSocketNode();
    const good = await startFakeNode(() => '"good"');
    const answered = failing.isFinal === true ? failing.cause : '"good"';
    const call = callOf('eth_test', '[]', { forwarding: 'included' });
    for (const [urls, more] of [
      [[node.url, good.url], { nodes: [{ tier: 1 }, { tier: 2 }] }],
      [[node.url], { partner: good.url }],
    ] as const) {
      vi.useRealTimers();
      node.behave(() => '1');
      const network = await startNetwork(urls, { ...quiet, ...more });
      fakeTimers();
      node.behave(failing.behave);
      expect(textOf(await network.call(call, signal))).toBe(answered);
    }
  });
});

describe('a stream of an upstream', () => {
  it('carries 50 MB to a caller that accepts streams', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], quiet);
    node.behave(({ id, method }, response) =>
      method === 'eth_test' ? fiftyMegabytes(response, id) : undefined,
    );
    const outcome = await network.stream(callOf('eth_test', '[]', { streams: true }), signal);
    if (outcome.kind !== 'stream') throw new Error(textOf(outcome));
    expect(network.status()[0]!.inFlight).toBe(1);
    let length = 0;
    for await (const chunk of outcome.stream) length += chunk.length;
    expect(length).toBe(50_000_002);
    expect(network.events.at(-1)).toMatchObject({ kind: 'stream', end: 'whole', bytes: length });
    expect(network.status()[0]!.inFlight).toBe(0);
  });

  it('is not retried after its first bytes, and the failure is reported', async () => {
    const [node, good] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([node.url, good.url], quiet);
    node.behave(async ({ id, method }, response) => {
      if (method !== 'eth_test') return undefined;
      await send(response, `{"id":${id},"result":"${'x'.repeat(2_000_000)}`);
      response.destroy();
      return undefined;
    });
    const outcome = await network.stream(callOf('eth_test', '[]', { streams: true }), signal);
    if (outcome.kind !== 'stream') throw new Error(textOf(outcome));
    await expect(
      (async () => {
        for await (const _ of outcome.stream);
      })(),
    ).rejects.toMatchObject({ reason: 'connection' });
    expect(good.requests).toHaveLength(0);
    expect(network.events.at(-1)).toMatchObject({ kind: 'stream', end: 'connection' });
  });
});

/** Applies to calls only, not to probes. */
function onlyCalls(behave: Behavior): Behavior {
  return (request, response) =>
    request.method === 'eth_test' ? behave(request, response) : undefined;
}
