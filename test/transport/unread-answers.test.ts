import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpConnection } from '../../src/transport/http-connection.ts';
import { ANSWER_BYTES } from '../../src/transport/unsent-answers.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { eventually } from './eventually.ts';
import { call, connect, echo, post, request, serveNetwork, networkOver } from './support.ts';
import type { RunningNetwork } from './support.ts';

/** Several answers of this size exceed the socket buffers. */
const LARGE_BYTES = 3_000_000;
const large: Upstream = () =>
  Promise.resolve({ kind: 'result', result: Buffer.from(`"${'x'.repeat(LARGE_BYTES)}"`) });
const CREDITS = 80;
const unbounded = {
  unsent_bytes: 1e9,
  unsent_account_bytes: 1e9,
  unsent_connection_bytes: 1e9,
  unsent_anonymous_bytes: 1e9,
};

/** A client that sends `sent` and reads nothing. */
async function unreading({ listener }: RunningNetwork, sent: string): Promise<Socket> {
  const socket = dial(listener.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(sent);
  return socket;
}

async function used({ httpUrl }: RunningNetwork): Promise<number> {
  const { body } = await request(`${httpUrl}/v3/demo/usage`, { method: 'GET' });
  return (body as { used: number }).used;
}

describe('an HTTP connection with unread answers', () => {
  it('is cut when it has too many unanswered requests', async () => {
    const network = await serveNetwork({ limits: { http_pipelined: 16 } });
    const never = await serveNetwork({
      limits: { http_pipelined: 16 },
      upstream: () => new Promise(() => undefined),
    });
    const preflight = 'OPTIONS /v3/x HTTP/1.1\r\nhost: a\r\n\r\n';
    const sent = await unreading(network, preflight.repeat(1_000));
    await eventually(() => network.cuts).toEqual(['pipelined']);
    await unreading(never, post(call()).repeat(17));
    await eventually(() => never.cuts).toEqual(['pipelined']);
    await eventually(() => network.connections.http).toBe(0);
    expect(network.service.unsent.bytes).toBe(0);
    sent.destroy();
  });

  it('is cut when it reads nothing for too long, and is charged as if it had hung up', async () => {
    const network = await serveNetwork({
      upstream: large,
      limits: { ...unbounded, stream_idle_ms: 1_000 },
    });
    await unreading(network, post(call()).repeat(6));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(LARGE_BYTES);
    await eventually(() => network.cuts).toEqual(['stalled']);
    expect(network.service.unsent.bytes).toBe(0);
    expect(await used(network)).toBe(6 * CREDITS);
  });

  it('holds queued answers only until their turn', async () => {
    const answer = Promise.withResolvers<void>();
    let performed = 0;
    const network = await serveNetwork({
      upstream: async ({ params }) => {
        performed += 1;
        if (performed === 1) await answer.promise;
        return { kind: 'result', result: params };
      },
    });
    const socket = dial(network.listener.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(post(call(1)) + post(call(2)));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(ANSWER_BYTES);
    answer.resolve();
    let received = '';
    socket.on('data', (data: Buffer) => (received += data.toString()));
    await eventually(() => received.match(/"id":\d/g)).toEqual(['"id":1', '"id":2']);
    await eventually(() => network.service.unsent.bytes).toBe(0);
  });

  it('ends its queued answers when it closes, so that the old service can be released', async () => {
    const performed: string[] = [];
    const network = await serveNetwork({
      upstream: ({ params }, signal) => {
        performed.push(String(params));
        if (performed.length > 1) return echo({ params } as never, signal);
        return new Promise((resolve) => {
          const failure = { kind: 'failure', cause: 'aborted', detail: '' } as const;
          signal.addEventListener('abort', () => resolve(failure));
        });
      },
    });
    const socket = await unreading(network, post(call(1)) + post(call(2)));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(ANSWER_BYTES);
    socket.resetAndDestroy();
    const networks = [{ name: 'evm', service: networkOver(echo).service, hostNames: [] }];
    await network.listener.serve({ networks });
    expect(network.service.unsent.bytes).toBe(0);
  });
});

it('a caller that reads nothing of a streamed result is cut, and the stream ends', async () => {
  const network = await serveNetwork({ limits: { stream_idle_ms: 200 } });
  const ended = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield await Promise.resolve(Buffer.alloc(65_536, '1'));
    } finally {
      ended.resolve();
    }
  }
  vi.spyOn(network.service.rpc, 'answer').mockImplementation(() =>
    Promise.resolve({ status: 200, body: [], credits: 0, stream: endless() }),
  );
  await unreading(network, post(call()));
  await ended.promise;
  expect(network.cuts).toEqual(['stalled']);
  await eventually(() => network.connections.http).toBe(0);
});

describe('unread answers above a bound', () => {
  it('of all callers cut the largest connection, which is not charged', async () => {
    const network = await serveNetwork({
      upstream: large,
      limits: { ...unbounded, unsent_bytes: 9 * LARGE_BYTES },
    });
    await unreading(network, post(call()).repeat(4));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(LARGE_BYTES);
    await unreading(network, post(call()).repeat(12));
    await eventually(() => network.cuts).toEqual(['total_limit']);
    await eventually(() => network.connections.http).toBe(1);
    // At least 9 were unsent, not more than 4 of them on the remaining connection, where they are reserved.
    expect(await used(network)).toBeLessThanOrEqual((4 + 12 - 5) * CREDITS);
    await eventually(() => network.callsInFlight()).toBeLessThanOrEqual(4);
  });

  it('are not charged if the listener that closes cuts them, for example after a reload', async () => {
    const network = await serveNetwork({ upstream: large, limits: unbounded });
    const calls = 16;
    const socket = await unreading(network, post(call()).repeat(calls));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(LARGE_BYTES);
    await network.listener.close(10);
    await eventually(() => network.callsInFlight()).toBe(0);
    // The system may have taken several answers, and delivers them; the last may not be charged yet.
    const delivered = (await text(socket)).split('"}').length - 1;
    expect(delivered).toBeLessThan(calls);
    expect(await network.charged()).toBeLessThanOrEqual(delivered * CREDITS);
  });

  it('are not charged if they are still being written when the listener cuts them', async () => {
    const network = await serveNetwork({ upstream: large, limits: unbounded });
    const written = Promise.withResolvers<void>();
    const close = HttpConnection.prototype.closeByServer;
    const spy = vi.spyOn(HttpConnection.prototype, 'closeByServer').mockImplementation(function (
      this: HttpConnection,
    ) {
      close.call(this);
      // The socket is destroyed then, and has not reported that yet.
      queueMicrotask(written.resolve);
    });
    onTestFinished(() => spy.mockRestore());
    const { turns, unsent } = network.service;
    vi.spyOn(turns, 'wait').mockImplementation(() =>
      unsent.bytes > 0 ? written.promise : undefined,
    );
    const socket = await unreading(network, post(call()));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(0);
    await network.listener.close(10);
    await eventually(() => network.callsInFlight()).toBe(0);
    expect((await text(socket)).length).toBeLessThan(LARGE_BYTES);
    expect(await network.charged()).toBe(0);
  });

  it('of one connection cut it, and it is charged as if it had hung up', async () => {
    let answered = 0;
    const network = await serveNetwork({
      upstream: (...call) => {
        answered += 1;
        return large(...call);
      },
      limits: { ...unbounded, unsent_connection_bytes: 2 * LARGE_BYTES },
    });
    await unreading(network, post(call()).repeat(8));
    await eventually(() => network.cuts).toEqual(['caller_limit']);
    expect(answered).toBeGreaterThan(2);
    await eventually(() => used(network)).toBe(answered * CREDITS);
    expect(network.service.unsent.bytes).toBe(0);
  });
});

describe('a caller without a valid key', () => {
  const head = 'POST /v3/no-such-key-0123456789 HTTP/1.1\r\nhost: a\r\n';
  const wrong = `${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;

  it('gets a few answers before its connection is closed', async () => {
    const network = await serveNetwork({ limits: { http_refusals: 2 } });
    const socket = dial(network.listener.port, '127.0.0.1');
    socket.write(wrong.repeat(3));
    const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((each) => each.slice(0, 12))).toEqual(Array(2).fill('HTTP/1.1 401'));
    expect(answers.map((each) => /\nconnection: close\r/i.test(each))).toEqual([false, true]);
    expect(network.refusals).toHaveLength(2);
  });

  it('keeps its connection when it sends a valid key in between', async () => {
    const network = await serveNetwork({ limits: { http_refusals: 4 } });
    const socket = dial(network.listener.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const statuses: string[] = [];
    socket.on('data', (data: Buffer) => {
      statuses.push(...(data.toString().match(/HTTP\/1\.1 \d+/g) ?? []));
    });
    for (let round = 1; round <= 3; round += 1) {
      socket.write(wrong.repeat(3) + post(call()));
      await eventually(() => statuses.length).toBe(4 * round);
    }
    expect(statuses.filter((each) => each.endsWith('200'))).toHaveLength(3);
  });
});

describe('a WebSocket with unread answers', () => {
  it('is cut after a timeout although it keeps sending, and is charged as if it had hung up', async () => {
    const network = await serveNetwork({
      upstream: large,
      limits: { ...unbounded, stream_idle_ms: 1_000, socket_pause_bytes: 1e9 },
    });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.pause();
    for (let id = 0; id < 6; id += 1) client.socket.send(call(id));
    const pinging = setInterval(() => client.socket.ping(), 20);
    onTestFinished(() => clearInterval(pinging));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(LARGE_BYTES);
    await eventually(() => network.cuts).toEqual(['stalled']);
    await eventually(() => network.connections.websocket).toBe(0);
    expect(network.service.unsent.bytes).toBe(0);
    expect(await used(network)).toBe(6 * CREDITS);
  });

  it('is not charged for those that the listener cuts when it closes', async () => {
    const calls = 700;
    const result = Buffer.from(`"${'x'.repeat(60_000)}"`);
    const network = await serveNetwork({
      upstream: () => Promise.resolve({ kind: 'result', result }),
      limits: { ...unbounded, socket_pause_bytes: 1e9, socket_calls_in_flight: calls },
    });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.pause();
    for (let id = 0; id < calls; id += 1) client.socket.send(call(id));
    await eventually(() => network.service.unsent.bytes).toBeGreaterThan(LARGE_BYTES);
    await network.listener.close(10);
    client.socket.resume();
    await client.closed;
    expect(client.messages.length).toBeLessThan(calls);
    expect(await network.charged()).toBeLessThanOrEqual(client.messages.length * CREDITS);
  });

  it('gets all of them in order, in fragments, once it reads, before it is closed', async () => {
    const upstream = vi.fn(large);
    const network = await serveNetwork({
      upstream,
      limits: { ...unbounded, socket_pause_bytes: 1e9 },
    });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.pause();
    for (let id = 0; id < 8; id += 1) client.socket.send(call(id));
    await eventually(() => upstream.mock.calls.length).toBe(8);
    // Only a queued answer is sent although the key has gone. All are when a later call is answered.
    await request(`${network.httpUrl}/v3/demo`, { body: call() });
    expect(network.service.unsent.bytes).toBeGreaterThan(LARGE_BYTES);
    network.changeKey({ revokedAt_ms: 1 });
    client.socket.resume();
    expect(await client.closed).toEqual([1008, 'key_revoked']);
    const answers = client.messages as { id: number | null; result?: string }[];
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, null]);
    expect(answers[7]!.result).toHaveLength(LARGE_BYTES);
    expect(network.service.unsent.bytes).toBe(0);
  });
});
