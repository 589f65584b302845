import { once } from 'node:events';
import type { Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import type { WebSocket } from 'ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connection } from '../../src/upstream/socket/connection.ts';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import { fakeClock } from './clock.ts';
import { startFakeSocketNode, type SocketBehavior } from './fake-socket-node.ts';
import { callOf, limits, startNetwork, textOf } from './support.ts';

const LARGE_BYTES = 5 * 1024 * 1024;

/** Sends a large message in parts: `send` sends so many bytes of it, `finish` the rest. */
class LargeMessage {
  readonly #socket: Socket;
  readonly #rest: Buffer;
  #at = 0;

  constructor(id: number, socket: WebSocket, isIdLast = false) {
    this.#socket = (socket as unknown as { _socket: Socket })._socket;
    const members = [`"id":${id}`, `"result":"${'x'.repeat(LARGE_BYTES)}"`];
    const text = Buffer.from(`{${(isIdLast ? members.toReversed() : members).join()}}`);
    // An unmasked text frame (RFC 6455, section 5.2).
    const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeBigUInt64BE(BigInt(text.length), 2);
    this.#rest = Buffer.concat([head, text]);
  }

  send(bytes: number): void {
    this.#socket.write(this.#rest.subarray(this.#at, this.#at + bytes));
    this.#at += bytes;
  }

  finish(): void {
    this.send(this.#rest.length);
  }
}

describe('a WebSocket upstream that sends large responses to one account', () => {
  async function rig({ heartbeat_ms = 1e9, held_bytes = limits.held_bytes } = {}) {
    const clock = heartbeat_ms === 1e9 ? fakeClock() : undefined;
    const messages: LargeMessage[] = [];
    const behavior: SocketBehavior = ({ id, method }, socket) => {
      const isIdLast = method === 'eth_largeIdLast';
      if (method === 'eth_large' || isIdLast) messages.push(new LargeMessage(id, socket, isIdLast));
      return method === 'eth_good' ? '"good"' : undefined;
    };
    // The reply to a ping would come within a large message.
    const node = await startFakeSocketNode(behavior, { autoPong: false });
    const upstream = openUpstream(
      { url: node.url, headers: {} },
      {
        ...(clock && { clock, startTimer: clock.startTimer }),
        limits: {
          ...limits,
          response_bytes: 2 * LARGE_BYTES,
          stream_bytes: 4 * LARGE_BYTES,
          upstream_heartbeat_ms: heartbeat_ms,
          held_bytes,
        },
      },
    );
    onTestFinished(() => upstream.close());
    let verified = 0;
    await upstream.start({
      verify: async () => {
        verified += 1;
        return undefined;
      },
      onReady: () => undefined,
      onDropped: () => undefined,
    });
    clock?.pass(1_000);
    const { signal } = new AbortController();
    const callAs = async (account: string, method: string, given = signal): Promise<string> =>
      textOf(await upstream.call(callOf(method, '[]', { account }), given));
    const sent = (count: number): Promise<void> =>
      expect.poll(() => node.requests.length).toBe(count);
    return { clock, node, messages, callAs, sent, verifications: () => verified };
  }

  it('does not keep the connections that it has replaced', async () => {
    const { clock, node } = await rig();
    const before = queryObjects(Connection, { format: 'count' });
    for (let count = 2; count <= 6; count += 1) {
      const [shared] = node.sockets;
      new LargeMessage(1_000_000, shared!).finish();
      // A connection is replaced after a second at the earliest, and checked each second afterwards.
      const after = (counted: () => number): number => (clock!.pass(1_000), counted());
      await expect.poll(() => after(() => node.handshakes.length)).toBe(count);
      await expect.poll(() => after(() => node.sockets.size)).toBe(1);
    }
    // Those of earlier tests may be freed meanwhile.
    const left = (): number => queryObjects(Connection, { format: 'count' });
    await expect.poll(left).toBeLessThanOrEqual(before);
  });

  it('answers others over a new connection, and this account over its own', async () => {
    const { clock, node, messages, callAs, sent, verifications } = await rig();
    const large = callAs('greedy', 'eth_large');
    await sent(1);
    messages[0]!.send(100_000);
    // A new shared connection, and one for this account.
    await expect.poll(verifications).toBe(3);
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    messages[0]!.finish();
    expect(await large).toHaveLength(LARGE_BYTES + 2);
    clock!.pass(1_000);
    await expect.poll(() => node.sockets.size).toBe(2);
    expect(await callAs('greedy', 'eth_good')).toBe('"good"');
    expect(await callAs('other', 'eth_good')).toBe('"good"');
    expect([node.handshakes.length, node.sockets.size]).toEqual([3, 2]);
  });

  it('ends the calls of others that wait behind them, so that they are sent again', async () => {
    const { messages, callAs, sent } = await rig();
    const calls = [callAs('greedy', 'eth_large'), callAs('greedy', 'eth_large')];
    await sent(2);
    const waiting = callAs('other', 'eth_held');
    await sent(3);
    for (const message of messages) message.finish();
    expect(await waiting).toBe('interrupted');
    expect((await Promise.all(calls)).map(({ length }) => length)).toEqual([
      LARGE_BYTES + 2,
      LARGE_BYTES + 2,
    ]);
  });

  it.each([
    ['', 'eth_large'],
    [' with the id last', 'eth_largeIdLast'],
  ])('ends the calls of others behind a late response%s', async (_, method) => {
    const { messages, callAs, sent } = await rig();
    const caller = new AbortController();
    const large = callAs('greedy', method, caller.signal);
    const waiting = callAs('other', 'eth_held');
    await sent(2);
    caller.abort();
    expect(await large).toBe('aborted');
    messages[0]!.send(100_000);
    expect(await waiting).toBe('interrupted');
  });

  it('ends the calls that wait behind a large response to a call that has been answered', async () => {
    const { node, callAs, sent } = await rig();
    expect(await callAs('greedy', 'eth_good')).toBe('"good"');
    const waiting = callAs('other', 'eth_held');
    await sent(2);
    const [shared] = node.sockets;
    new LargeMessage(node.requests[0]!.id, shared!).send(100_000);
    expect(await waiting).toBe('interrupted');
  });

  it('ends the calls of others behind many late responses', async () => {
    const { node, callAs, sent } = await rig();
    const caller = new AbortController();
    const calls = [1, 2].map(() => callAs('greedy', 'eth_held', caller.signal));
    await sent(2);
    const waiting = callAs('other', 'eth_held');
    await sent(3);
    caller.abort();
    expect(await Promise.all(calls)).toEqual(['aborted', 'aborted']);
    const [shared] = node.sockets;
    const result = 'x'.repeat(LARGE_BYTES / 2);
    for (const { id } of node.requests.slice(0, 2))
      shared!.send(`{"id":${id},"result":"${result}"}`);
    expect(await waiting).toBe('interrupted');
  });

  it('ends the calls of others as soon as the id of the message is known', async () => {
    const { messages, callAs, sent } = await rig();
    const large = callAs('greedy', 'eth_large');
    await sent(1);
    const waiting = callAs('other', 'eth_held');
    await sent(2);
    messages[0]!.send(100_000);
    expect(await waiting).toBe('interrupted');
    messages[0]!.finish();
    expect(await large).toHaveLength(LARGE_BYTES + 2);
  });

  it('ends all calls if the id of the message is not near its beginning', async () => {
    const { messages, callAs, sent, verifications } = await rig();
    const large = callAs('greedy', 'eth_largeIdLast');
    await sent(1);
    const waiting = callAs('other', 'eth_held');
    await sent(2);
    messages[0]!.send(100_000);
    expect(await Promise.all([large, waiting])).toEqual(['interrupted', 'interrupted']);
    // A new shared connection, and one for each account.
    await expect.poll(verifications).toBe(4);
    expect(await callAs('other', 'eth_good')).toBe('"good"');
  });

  it('keeps the calls of an account that is alone with a message without an early id', async () => {
    const { messages, callAs, sent } = await rig();
    const large = callAs('greedy', 'eth_largeIdLast');
    await sent(1);
    messages[0]!.send(100_000);
    messages[0]!.finish();
    expect(await large).toHaveLength(LARGE_BYTES + 2);
  });

  it('gives at most 8 accounts connections of their own for that', async () => {
    const { clock, node, messages, callAs, sent, verifications } = await rig();
    for (let count = 1; count <= 10; count += 1) {
      const large = callAs(`account ${count}`, 'eth_large');
      await sent(count);
      messages.at(-1)!.finish();
      expect(await large).toHaveLength(LARGE_BYTES + 2);
      // Until the first connection is replaced, calls of others on it are ended.
      if (count === 1) await expect.poll(verifications).toBe(3);
    }
    await expect.poll(() => node.handshakes.length).toBe(10);
    // The shared connection is replaced once more, and both occupied ones are closed.
    clock!.pass(1_000);
    await expect.poll(() => node.handshakes.length).toBe(11);
    await expect.poll(() => node.sockets.size).toBe(9);
  });

  it('bounds the bytes of incomplete messages on all connections together', async () => {
    const { messages, callAs, sent, verifications } = await rig({ held_bytes: 1.5 * LARGE_BYTES });
    const first = callAs('greedy', 'eth_large');
    await sent(1);
    messages[0]!.send(0.9 * LARGE_BYTES);
    await expect.poll(verifications).toBe(3);
    const second = callAs('greedy', 'eth_large');
    await sent(2);
    messages[1]!.send(0.8 * LARGE_BYTES);
    // The larger one of the account that holds most.
    expect(await first).toBe('interrupted');
    messages[1]!.finish();
    expect(await second).toHaveLength(LARGE_BYTES + 2);
  });

  it('keeps a connection over which a message arrives slowly', async () => {
    const { node, messages, callAs, sent } = await rig({ heartbeat_ms: 500 });
    const large = callAs('greedy', 'eth_large');
    await sent(1);
    const [occupied] = node.sockets;
    // A node that is still sending a message does not answer pings.
    occupied!.on('ping', () => messages[0]!.send(100_000));
    for (let beat = 0; beat < 4; beat += 1) await once(occupied!, 'ping');
    messages[0]!.finish();
    expect(await large).toHaveLength(LARGE_BYTES + 2);
  });
});

it('sends a call again for the large responses of others twice at most', async () => {
  const larges: LargeMessage[] = [];
  const held: (() => void)[] = [];
  const accounts: unknown[] = [];
  const behavior: SocketBehavior = ({ id, method, params }, socket) => {
    if (method === 'eth_large') larges.push(new LargeMessage(id, socket));
    if (method !== 'eth_held') return undefined;
    held.push(() => socket.send(`{"id":${id},"result":"held"}`));
    accounts.push(...params);
    return undefined;
  };
  // The reply to a ping would come within a large message.
  const node = await startFakeSocketNode(behavior, { autoPong: false });
  // Stands still: a response that takes half a second would move calls too.
  const connectionClock = fakeClock();
  const network = await startNetwork([node.url], {
    connectionClock,
    limits: {
      response_bytes: 2 * LARGE_BYTES,
      stream_bytes: 4 * LARGE_BYTES,
      // The answer to a probe would come within a large message.
      probe_interval_ms: 1e6,
    },
  });
  const { signal } = new AbortController();
  const callAs = async (account: string, method: string): Promise<string> =>
    textOf(await network.call(callOf(method, JSON.stringify([account]), { account }), signal));
  const waiting = callAs('other', 'eth_held');
  await expect.poll(() => held.length).toBe(1);
  for (const [index, account] of ['first', 'second', 'third'].entries()) {
    // A connection is replaced after a second at the earliest.
    connectionClock.pass(1_000);
    const before = node.handshakes.length;
    const large = callAs(account, 'eth_large');
    await expect.poll(() => larges.length).toBe(index + 1);
    // Whole: a message that has only begun also blocks the connection, which moves calls more than once.
    larges.at(-1)!.finish();
    // Another shared connection, and one for the account.
    await expect.poll(() => node.handshakes.length, { timeout: 10_000 }).toBe(before + 2);
    await expect.poll(() => held.length).toBe(Math.min(index + 2, 3));
    expect(await large).toHaveLength(LARGE_BYTES + 2);
  }
  // An answer over the replacement shows that it is used.
  let isAnswered = false;
  const late = callAs('late', 'eth_held').finally(() => (isAnswered = true));
  await expect.poll(() => (held.forEach((answer) => answer()), isAnswered)).toBe(true);
  expect([await waiting, await late]).toEqual(['"held"', '"held"']);
  expect(accounts.filter((account) => account === 'other')).toHaveLength(3);
});
