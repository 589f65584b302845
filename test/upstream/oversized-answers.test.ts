import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { describe, expect, it } from 'vitest';
import type { UpstreamLimits } from '../../src/upstream/limits.ts';
import { startFakeSocketNode, type SocketBehavior } from './fake-socket-node.ts';
import { callOf, openAt, startNetwork, textOf } from './support.ts';

const OVERSIZED = '["oversized"]';
/** Twice the limit of the tests. */
const large = 'x'.repeat(200_000);
const { signal } = new AbortController();

type Send = (socket: WebSocket, id: number | string) => void;

/** Ways to send an oversized response. */
const ways: [what: string, send: Send][] = [
  ['its id before the result', (socket, id) => socket.send(`{"id":${id},"result":"${large}"}`)],
  ['its id behind the result', (socket, id) => socket.send(`{"result":"${large}","id":${id}}`)],
  ['its id as a string', (socket, id) => socket.send(`{"result":"${large}","id":"${id}"}`)],
  [
    'an error of that size',
    (socket, id) => socket.send(`{"id":${id},"error":{"code":3,"message":"no","data":"${large}"}}`),
  ],
  [
    'its id first, in fragments',
    (socket, id) => sendFragments(socket, `{"id":${id},"result":"${large}"}`),
  ],
  [
    'its id last, in fragments',
    (socket, id) => sendFragments(socket, `{"result":"${large}","id":${id}}`),
  ],
  [
    'too many fragments',
    (socket, id) => {
      const text = `{"id":${id},"result":"${'x'.repeat(17_000)}"}`;
      for (const [at, part] of [...text].entries()) {
        socket.send(part, { fin: at === text.length - 1 });
      }
    },
  ],
  [
    'very many empty fragments',
    (socket, id) => {
      const { _socket: stream } = socket as unknown as { readonly _socket: Writable };
      socket.send('', { fin: false });
      stream.write(Buffer.alloc(2 * 250_000));
      socket.send(`{"id":${id},"result":1}`);
    },
  ],
];

/** Sends a ping between fragments, as RFC 6455 allows. */
function sendFragments(socket: WebSocket, text: string): void {
  for (let at = 0; at < text.length; at += 30_000) {
    socket.send(text.slice(at, at + 30_000), { fin: at + 30_000 >= text.length });
    socket.ping();
  }
}

/** Answers five calls at once, the oversized ones in between. */
function answerTogether(send: Send): SocketBehavior {
  let waiting: (() => void)[] = [];
  return ({ id, params }, socket) => {
    waiting.push(() =>
      JSON.stringify(params) === OVERSIZED
        ? send(socket, id)
        : socket.send(`{"id":${id},"result":"small"}`),
    );
    if (waiting.length < 5) return undefined;
    for (const answer of waiting) answer();
    waiting = [];
    return undefined;
  };
}

const five = ['[]', '[]', OVERSIZED, '[]', '[]'].map((params) => callOf('eth_test', params));
const expected = ['"small"', '"small"', 'too_large', '"small"', '"small"'];

async function open(behavior: SocketBehavior, limits: Partial<UpstreamLimits> = {}) {
  const node = await startFakeSocketNode(behavior);
  const upstream = openAt(node.url, limits);
  const states: boolean[] = [];
  await upstream.start({
    verify: async () => undefined,
    onReady: (isReady) => states.push(isReady),
    onDropped: () => undefined,
  });
  const askFive = async (): Promise<string[]> =>
    (await Promise.all(five.map((call) => upstream.call(call, signal)))).map(textOf);
  return { node, upstream, states, askFive };
}

describe('an oversized WebSocket response', () => {
  it.each(ways)('with %s fails only the call it answers', async (_, send) => {
    const { node, states, askFive } = await open(answerTogether(send));
    expect(await askFive()).toEqual(expected);
    expect(await askFive()).toEqual(expected);
    expect(states).toEqual([true]);
    expect(node.handshakes).toHaveLength(1);
  });

  it.each(ways)('with %s is not retried, and the node stays healthy', async (_, send) => {
    const nodes = [
      await startFakeSocketNode(answerTogether(send)),
      await startFakeSocketNode(() => '"other node"'),
    ];
    const network = await startNetwork(
      nodes.map(({ url }) => url),
      { limits: { breaker_attempts: 2, breaker_failures: 1 }, nodes: [{ tier: 1 }, { tier: 2 }] },
    );
    const outcomes = await Promise.all(five.map((call) => network.call(call, signal)));
    expect(outcomes.map(textOf)).toEqual(expected);
    expect(network.events.filter(({ kind }) => kind === 'retry')).toEqual([]);
    expect(nodes[1]!.requests).toEqual([]);
    const [first] = network.status();
    expect(first).toMatchObject({ isHealthy: true, breaker: 'closed' });
  });

  it('to a caller that has left is ignored', async () => {
    const { node, upstream, states } = await open(() => undefined);
    const caller = new AbortController();
    const gone = upstream.call(five[2]!, caller.signal);
    await expect.poll(() => node.requests.length).toBe(1);
    caller.abort();
    expect(textOf(await gone)).toBe('aborted');
    for (const socket of node.sockets) ways[1]![1](socket, 1);
    node.behave(() => '1');
    expect(textOf(await upstream.call(five[0]!, signal))).toBe('1');
    expect(states).toEqual([true]);
  });

  it('is ignored when it is a notification', async () => {
    const { states, upstream } = await open((_, socket) => {
      socket.send(`{"method":"eth_subscription","params":"${large}"}`);
      return '1';
    });
    expect(textOf(await upstream.call(five[0]!, signal))).toBe('1');
    expect(states).toEqual([true]);
  });

  it('that is a notification, sent again and again, has the connection reopened', async () => {
    const { node, upstream } = await open((_, socket) => {
      for (let sent = 0; sent < 16; sent += 1) {
        socket.send(`{"method":"eth_subscription","params":"${large}"}`);
      }
      return undefined;
    });
    expect(textOf(await upstream.call(five[0]!, signal))).toBe('interrupted');
    await expect.poll(() => node.handshakes.length).toBe(2);
  });

  it.each([
    ['without an id', () => `{"result":"${large}"}`],
    ['with an id that was never sent', () => `{"id":99,"result":"${large}"}`],
    ['that is not JSON', () => `<${large}>`],
  ])('%s is dropped, like a small one', async (_, message) => {
    const { upstream, states } = await open((__, socket) => {
      socket.send(message());
      return '1';
    });
    expect(textOf(await upstream.call(five[0]!, signal))).toBe('1');
    expect(states).toEqual([true]);
  });

  describe('larger than the skip limit', () => {
    const limits = { stream_bytes: 150_000 };

    it('fails its call as too large and closes the connection', async () => {
      const { node, askFive } = await open(answerTogether(ways[0]![1]), limits);
      expect(await askFive()).toEqual([
        '"small"',
        '"small"',
        'too_large',
        'interrupted',
        'interrupted',
      ]);
      await expect.poll(() => node.handshakes.length).toBe(2);
    });

    it('does not open the breaker, and the other calls are retried', async () => {
      const nodes = [
        await startFakeSocketNode(answerTogether(ways[0]![1])),
        await startFakeSocketNode(() => '"other node"'),
      ];
      const network = await startNetwork(
        nodes.map(({ url }) => url),
        {
          limits: { ...limits, breaker_attempts: 1, breaker_failures: 0.1 },
          nodes: [{ tier: 1 }, { tier: 2 }],
        },
      );
      const outcomes = await Promise.all(five.map((call) => network.call(call, signal)));
      const others = ['"other node"', '"other node"'];
      expect(outcomes.map(textOf)).toEqual(['"small"', '"small"', 'too_large', ...others]);
      expect(network.status()[0]).toMatchObject({ breaker: 'closed' });
    });

    it('fails every call it may answer when its id is unknown, none twice', async () => {
      const { askFive } = await open(answerTogether(ways[1]![1]), limits);
      expect(await askFive()).toEqual([
        '"small"',
        '"small"',
        'too_large',
        'too_large',
        'too_large',
      ]);
    });
  });
});
