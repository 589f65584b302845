import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NetworkService } from '../../src/transport/network-service.ts';
import { PartialMessage } from '../../src/transport/partial-message.ts';
import { WAITING_BYTES } from '../../src/transport/socket-session.ts';
import { eventually } from './eventually.ts';
import { call, connect, serveNetwork } from './support.ts';

const SIZE = 50_000;

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
    const partial = new PartialMessage(() => true);
    partial.take(Buffer.from([FIRST_FRAGMENT, 0x80 | 126, 0xff, 0xff, 0, 0, 0, 0]));
    for (let read = 0; read < 1_000; read += 1) partial.take(Buffer.alloc(1));
    expect(partial.held_bytes).toBeGreaterThan(1_000 * 480);
  });

  it.each([1, 7, 64])('is followed exactly in reads of %i bytes', (size) => {
    const ping = Buffer.from([0x89, 0x82, 0, 0, 0, 0, 1, 2]);
    const last = Buffer.from([0x80, 0x81, 0, 0, 0, 0, 1]);
    const text = Buffer.concat([ping, fragment(300), ping, tiny(CONTINUATION), ping, last, ping]);
    const partial = new PartialMessage(() => true);
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
    const network = await serveNetwork({ limits: { http_request_ms: 60_000 } });
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

  it.each([
    ['empty', Buffer.from([CONTINUATION, 0x80, 0, 0, 0, 0])],
    ['of one byte', tiny(CONTINUATION)],
  ])('counts as a call for each 32 fragments that are %s', async (_, piece) => {
    const options = { plan: { callsPerSecond: 3 }, monotonic_ms: () => 0 };
    const network = await serveNetwork(options);
    const fragments = (count: number): Buffer => Buffer.concat(Array<Buffer>(count).fill(piece));
    const last = Buffer.from([0x80, 0x80, 0, 0, 0, 0]);
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const stream = rawSocket(client);
    stream.write(Buffer.concat([tiny(FIRST_FRAGMENT), fragments(25), last]));
    // A message that is complete does not count for the next one: two calls and this one.
    stream.write(Buffer.concat([tiny(FIRST_FRAGMENT), fragments(25), last]));
    await client.next();
    await client.next();
    expect(network.cuts).toEqual([]);
    stream.write(Buffer.concat([tiny(FIRST_FRAGMENT), fragments(40)]));
    await eventually(() => network.service.heldBytes.bytes).toBeGreaterThan(40 * 512);
    expect(network.cuts).toEqual([]);
    stream.write(fragments(40));
    const [code] = await client.closed;
    expect(code).toBe(1008);
    expect(network.cuts).toEqual(['caller_limit']);
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
