import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BATCH_CALL_BYTES } from '../../src/rpc/message.ts';
import { ByteBudget } from '../../src/transport/byte-budget.ts';
import type { NetworkService } from '../../src/transport/network-service.ts';
import { PartialMessage } from '../../src/transport/partial-message.ts';
import { WAITING_BYTES } from '../../src/transport/socket-session.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { eventually } from './eventually.ts';
import { call, connect, request, serveNetwork } from './support.ts';

describe('a byte budget', () => {
  it('refuses an account above its share, and counts nothing then', () => {
    const budget = new ByteBudget(() => ({ unsent_bytes: 1_000, unsent_account_bytes: 100 }));
    const first = budget.open('a');
    const second = budget.open('a');
    expect([first.add(60), second.add(60), second.add(40)]).toEqual([true, false, true]);
    expect(budget.bytes).toBe(100);
    first.release();
    first.release();
    expect([second.resize(100), budget.bytes]).toEqual([true, 100]);
    second.release();
    expect(budget.bytes).toBe(0);
  });

  it('leaves every account its equal share when all bytes are in use', () => {
    const budget = new ByteBudget(() => ({ unsent_bytes: 100, unsent_account_bytes: 100 }));
    expect(budget.open('a').add(100)).toBe(true);
    const other = budget.open('b');
    expect([other.add(50), other.add(1), budget.open('a').add(1)]).toEqual([true, false, false]);
  });
});

/** An upstream that answers once it is opened. */
function gated(): { readonly upstream: Upstream; readonly open: () => void } {
  const opened = Promise.withResolvers<void>();
  const upstream: Upstream = async () => {
    await opened.promise;
    return { kind: 'result', result: Buffer.from('1') };
  };
  return { upstream, open: opened.resolve };
}

const tooMany = {
  error: { data: { reason: 'too_many_calls_in_flight', scope: 'account' } },
};
const SIZE = 50_000;
const body = call().padEnd(SIZE);

describe('the request bytes of an account', () => {
  it('are bounded over HTTP while its calls are in flight', async () => {
    const { upstream, open } = gated();
    const network = await serveNetwork({ upstream, limits: { unsent_account_bytes: 120_000 } });
    const url = `${network.httpUrl}/v3/demo`;
    const accepted = [request(url, { body }), request(url, { body })];
    await eventually(() => network.service.heldBytes.bytes).toBe(2 * SIZE);
    const refused = await request(url, { body });
    expect([refused.status, refused.body]).toMatchObject([429, tooMany]);
    open();
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200]);
    expect(network.service.heldBytes.bytes).toBe(0);
    expect((await request(url, { body })).status).toBe(200);
  });

  it('count from their arrival, and no more once the caller hangs up', async () => {
    const network = await serveNetwork();
    const socket = createConnection(network.listener.port, '127.0.0.1');
    socket.write(
      'POST /v3/demo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n' +
        `content-length: ${SIZE}\r\n\r\n${' '.repeat(10_000)}`,
    );
    await eventually(() => network.service.heldBytes.bytes).toBe(10_000);
    socket.destroy();
    await eventually(() => network.service.heldBytes.bytes).toBe(0);
  });

  it('are bounded over WebSocket, with a refusal of each call above the bound', async () => {
    const { upstream, open } = gated();
    const limits = { unsent_account_bytes: 3 * SIZE - 1 };
    const network = await serveNetwork({ upstream, limits });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    for (const id of [1, 2, 3]) {
      client.socket.send(call(id).padEnd(SIZE));
      if (id < 3) await eventually(() => network.service.heldBytes.bytes).toBe(id * SIZE);
    }
    expect(await client.next()).toMatchObject({ id: 3, ...tooMany });
    open();
    const answers = [await client.next(), await client.next()] as { id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: 1 },
      { id: 2, result: 1 },
    ]);
    expect(network.service.heldBytes.bytes).toBe(0);
  });
});

describe('a batch of small calls', () => {
  const calls = (count: number, one = call()): string => `[${Array(count).fill(one).join()}]`;

  it.each(['http', 'websocket'])('counts the memory of each call over %s', async (transport) => {
    const { upstream, open } = gated();
    const limits = { unsent_account_bytes: 30_000, socket_calls_in_flight: 1_000 };
    const network = await serveNetwork({ upstream, limits });
    const { heldBytes } = network.service;
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const send = async (body: string): Promise<unknown> => {
      if (transport === 'http') return (await request(`${network.httpUrl}/v3/demo`, { body })).body;
      client.socket.send(body);
      return client.next();
    };
    const accepted = send(calls(32));
    await eventually(() => heldBytes.bytes).toBe(calls(32).length + 32 * BATCH_CALL_BYTES);
    if (transport === 'http') expect(await send(calls(32))).toMatchObject([tooMany]);
    open();
    expect(await accepted).toHaveLength(32);
    if (transport === 'websocket') expect(await send(calls(100))).toMatchObject([tooMany]);
    await eventually(() => heldBytes.bytes).toBe(0);
  });

  it('counts large errors until all responses are ready', async () => {
    const { upstream, open } = gated();
    const network = await serveNetwork({ upstream });
    const { heldBytes } = network.service;
    const invalid = call('2'.repeat(1_000), 7);
    const body = `[${call()},${invalid}]`;
    const reply = request(`${network.httpUrl}/v3/demo`, { body });
    const other = body.length + 2 * BATCH_CALL_BYTES;
    await eventually(() => heldBytes.bytes > other).toBe(true);
    const error_bytes = heldBytes.bytes - other;
    open();
    const responses = (await reply).body as unknown[];
    expect(error_bytes).toBe(JSON.stringify(responses[1]).length);
  });
});

describe('responses of a batch that do not fit', () => {
  const result = Buffer.from(`"${'x'.repeat(SIZE)}"`);
  const upstream: Upstream = () => Promise.resolve({ kind: 'result', result });
  const batch = (ids: readonly number[]): string => `[${ids.map((id) => call(id)).join()}]`;

  it('into the share of the account are replaced by an error, and charged', async () => {
    const network = await serveNetwork({ upstream, limits: { unsent_account_bytes: 120_000 } });
    const { body: responses } = await request(`${network.httpUrl}/v3/demo`, {
      body: batch([1, 2, 3]),
    });
    expect(responses).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, ...tooMany }]);
    expect(await network.charged()).toBe(3 * 80);
    expect(network.service.heldBytes.bytes).toBe(0);
  });

  it('into the bytes of all accounts are replaced by an error, and not charged', async () => {
    const network = await serveNetwork({
      upstream,
      limits: { unsent_account_bytes: 200_000, unsent_bytes: 200_000 },
    });
    const other = network.service.heldBytes.open('other');
    other.add(80_000);
    const { body: responses } = await request(`${network.httpUrl}/v3/demo`, {
      body: batch([1, 2, 3]),
    });
    expect(responses).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, ...tooMany }]);
    expect(await network.charged()).toBe(2 * 80);
    other.release();
  });
});

/** The connection below a WebSocket of `ws`. */
const rawSocket = ({ socket }: { socket: object }): Socket =>
  (socket as { _socket: Socket })._socket;

describe('WebSocket messages that wait for their turn', () => {
  /** Messages of one byte, masked with zeros (RFC 6455, section 5.2). */
  const tinyMessages = (count: number): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x31])));

  /** Keeps all messages waiting; returns the number of them so far. */
  function stopTurns({ turns }: NetworkService): () => number {
    let waiting = 0;
    turns.run = () => void (waiting += 1);
    return () => waiting;
  }

  it('are few, however many one read brings', async () => {
    const network = await serveNetwork();
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const waiting = stopTurns(network.service);
    rawSocket(client).write(tinyMessages(9_000));
    await eventually(waiting).toBeGreaterThan(0);
    expect(waiting()).toBeLessThan(200);
    rawSocket(client).resetAndDestroy();
    await eventually(() => network.connections.websocket).toBe(0);
    expect(waiting()).toBeLessThan(200);
  });

  it('count for their account, whose socket is cut above the share', async () => {
    const network = await serveNetwork({
      limits: { unsent_account_bytes: 3 * (WAITING_BYTES + 1) },
    });
    const url = `${network.wsUrl}/ws/v3/demo`;
    const clients = [await connect(url), await connect(url)] as const;
    stopTurns(network.service);
    rawSocket(clients[0]).write(tinyMessages(2));
    await eventually(() => network.service.heldBytes.bytes).toBe(2 * (WAITING_BYTES + 1));
    rawSocket(clients[1]).write(tinyMessages(2));
    await clients[1].closed;
    expect(network.cuts).toEqual(['caller_limit']);
  });
});

describe('a WebSocket message that is not complete', () => {
  const FIRST_FRAGMENT = 0x01;

  /** The first fragment of a message, masked with zeros (RFC 6455, section 5.2). */
  function fragment(length: number): Buffer {
    const head = Buffer.from([FIRST_FRAGMENT, 0x80 | 126, length >> 8, length & 255, 0, 0, 0, 0]);
    return Buffer.concat([head, Buffer.alloc(length, ' ')]);
  }
  /** A fragment of one byte. */
  const tiny = (opcode: number): Buffer => Buffer.from([opcode, 0x81, 0, 0, 0, 0, 0x20]);
  const CONTINUATION = 0;

  it('counts for its account, whose socket is cut above the share', async () => {
    const network = await serveNetwork({ limits: { unsent_account_bytes: 120_000 } });
    const url = `${network.wsUrl}/ws/v3/demo`;
    const clients = await Promise.all([connect(url), connect(url), connect(url)]);
    for (const client of clients.slice(0, 2)) rawSocket(client).write(fragment(SIZE));
    await eventually(() => network.service.heldBytes.bytes).toBe(2 * SIZE + 16);
    rawSocket(clients[2]!).write(fragment(SIZE));
    await clients[2]!.closed;
    expect(network.cuts).toEqual(['caller_limit']);
    for (const client of clients) client.socket.terminate();
    await eventually(() => network.service.heldBytes.bytes).toBe(0);
  });

  it.each([
    ['begins the read', Buffer.alloc(0)],
    // A final frame and a ping.
    ['follows a message', Buffer.from([0x81, 0x80, 0, 0, 0, 0, 0x89, 0x80, 0, 0, 0, 0])],
  ])('counts what its fragments take in memory, however small, when it %s', async (_, before) => {
    const network = await serveNetwork({ limits: { unsent_account_bytes: 500_000 } });
    const url = `${network.wsUrl}/ws/v3/demo`;
    const [small, large] = [await connect(url), await connect(url)];
    const fragments = (count: number): Buffer =>
      Buffer.concat([
        before,
        tiny(FIRST_FRAGMENT),
        ...Array.from({ length: count - 1 }, () => tiny(CONTINUATION)),
      ]);
    rawSocket(small).write(fragments(100));
    await eventually(() => network.service.heldBytes.bytes).toBeGreaterThan(100 * 135);
    rawSocket(large).write(fragments(1_000));
    await large.closed;
    expect(network.cuts).toEqual(['caller_limit']);
    small.socket.terminate();
    await eventually(() => network.service.heldBytes.bytes).toBe(0);
  });

  it('counts what its reads take in memory, however small', () => {
    const partial = new PartialMessage();
    partial.take(Buffer.from([FIRST_FRAGMENT, 0x80 | 126, 0xff, 0xff, 0, 0, 0, 0]));
    for (let read = 0; read < 1_000; read += 1) partial.take(Buffer.alloc(1));
    expect(partial.held_bytes).toBeGreaterThan(1_000 * 480);
  });

  it.each([1, 7, 64])('is followed exactly in reads of %i bytes', (size) => {
    const ping = Buffer.from([0x89, 0x82, 0, 0, 0, 0, 1, 2]);
    const last = Buffer.from([0x80, 0x81, 0, 0, 0, 0, 1]);
    const text = Buffer.concat([ping, fragment(300), ping, tiny(CONTINUATION), ping, last, ping]);
    const partial = new PartialMessage();
    const held: number[] = [];
    for (let at = 0; at < text.length; at += size) {
      partial.take(text.subarray(at, at + size));
      held.push(partial.held_bytes);
    }
    // A read may hold the end of the message and a part of the ping behind it.
    expect(Math.max(...held)).toBeGreaterThanOrEqual(300);
    expect(held.at(-1)).toBe(0);
  });

  it('closes its connection when it comes in too many small pieces', async () => {
    const network = await serveNetwork();
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const stream = rawSocket(client);
    stream.setNoDelay(true);
    stream.write(Buffer.from([FIRST_FRAGMENT, 0x80 | 126, 0xff, 0xff, 0, 0, 0, 0]));
    let written = 0;
    while (client.socket.readyState === client.socket.OPEN && written < 60_000) {
      stream.write('1');
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (client.socket.readyState === client.socket.OPEN) client.socket.terminate();
    const [code] = await client.closed;
    expect(code).toBe(1008);
  });

  it('is cut when it is not complete in time, unlike pings and complete messages', async () => {
    const network = await serveNetwork({ limits: { http_request_ms: 500 } });
    const url = `${network.wsUrl}/ws/v3/demo`;
    const good = await connect(url);
    good.socket.ping('abc');
    good.socket.send(call().slice(0, 20), { fin: false });
    good.socket.ping('def');
    good.socket.send(call().slice(20));
    await good.next();
    good.socket.ping('ghi');
    await once(good.socket, 'pong');
    const slow = await connect(url);
    rawSocket(slow).write(fragment(10));
    await slow.closed;
    expect(network.cuts).toEqual(['stalled']);
    await eventually(() => network.service.heldBytes.bytes).toBe(0);
    good.socket.send(call());
    expect(await good.next()).toMatchObject({ id: 1 });
    onTestFinished(() => good.socket.terminate());
  });
});
