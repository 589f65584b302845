import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Change } from '../../../bench/verify/reference.ts';
import { openWebSocket } from '../../../generator/verify/transport.ts';
import { verifyShop } from './shop.ts';

const onText =
  (change: (text: string) => string): Change =>
  ({ print }) => ({ print: (reply, transport) => change(print(reply, transport)) });

const PIECES = 1_000;
const LIMITS = { timeout_ms: 30_000, max_bytes: 100_000 };
const MESSAGE = { body: '{}', isSilent: true, isIsolated: false };

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  vi.restoreAllMocks();
});

test.each([
  ['id', '"id":'],
  ['result', '"result":'],
  ['result within a member', '"result":{"id":'],
  ['error', '"error":{"code":-1,"message":"x","data":'],
])('an answer with too many levels is a failure: %s', async (_, start) => {
  for (const [from, to] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `{"jsonrpc":"2.0",${start}${from.repeat(100_000)}1${to.repeat(100_000)}`;
    const { verified } = await verifyShop(
      onText((text) => (text.startsWith('[') ? text : deep + '}'.repeat(start.split('{').length))),
      { phases: ['examples', 'stateful'] },
    );
    const messages = verified.groups.map(({ failure }) => failure.message);
    expect(messages).toContainEqual(
      expect.stringMatching(/^expected JSON of at most 1000 levels, got/),
    );
  }
});

test('no number of the server with very many digits is converted', async () => {
  const convert = vi.spyOn(globalThis, 'BigInt');
  const { verified } = await verifyShop(
    onText((text) => text.replaceAll(/"id":\d+/g, `"id":${'9'.repeat(20_000)}`)),
    { phases: ['examples'] },
  );
  expect(verified.groups.map(({ failure }) => failure.check)).toContain('response-id');
  const sizes = convert.mock.calls.map(([value]) => String(value).length);
  expect(sizes.filter((size) => size > 1_000)).toEqual([]);
});

test('only the start of an answer is kept for the report', async () => {
  const { verified } = await verifyShop(
    onText((text) => text.replace('"jsonrpc"', `"more":"${'x'.repeat(100_000)}","json"`)),
    { phases: ['examples'] },
  );
  expect(verified.groups).not.toEqual([]);
  for (const { failure } of verified.groups) {
    expect(failure.answer.texts.join('').length).toBeLessThan(20_001);
  }
});

test('messages that wait to be read take bounded memory', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('message', () => {
      for (let index = 0; index < PIECES; index += 1) socket.send('1');
    });
  });
  const { port } = server.address() as AddressInfo;
  const channel = openWebSocket({ target: { url: `ws://127.0.0.1:${port}` }, ...LIMITS });
  open.push(channel.close, async () => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const { failure } = await channel.send(MESSAGE);
  expect(failure).toBe('no response: the responses are too large');
});
