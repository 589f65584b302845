import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Change } from '../../../bench/verify/reference.ts';
import { toLoaded } from '../../../bench/diff/document.ts';
import type { JsonObject } from '../../../common/json/value.ts';
import { readContract } from '../../../generator/verify/contract.ts';
import { Coverage } from '../../../generator/verify/coverage.ts';
import { idOf, pairResponses } from '../../../generator/verify/message.ts';
import { Seeds } from '../../../generator/verify/seeds.ts';
import { openHttp, openWebSocket } from '../../../generator/verify/transport.ts';
import { shop, verifyShop } from './shop.ts';

const onText =
  (change: (text: string) => string): Change =>
  ({ print }) => ({ print: (reply, transport) => change(print(reply, transport)) });

const PIECES = 1_000;
const LIMITS = { timeout_ms: 30_000, max_bytes: 100_000 };
const MESSAGE = { body: '{}', isSilent: true, isIsolated: false };

/** A result of the first method. */
const valid = { id: '0x0a1b', price: 12, owner: '0x00ff' };

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

test('the ids of a batch are read once each', () => {
  const ids = [...Array.from({ length: 300 }, (_, index) => `id ${index}`), 2, 1];
  const texts = [JSON.stringify(ids.map((id) => ({ id, result: id })))];
  const expected = (id: string) => ({ id, outcome: { kind: 'recorded' } }) as const;
  const responses = ['1', '2', '3', ...ids.slice(1, 20).map((id) => JSON.stringify(id))];
  const answer = {
    transport: 'http',
    status: 200,
    headers: {},
    failure: null,
    took_ms: 0,
  } as const;
  const print = vi.spyOn(JSON, 'stringify');
  const pairs = pairResponses(
    { expects: { isBatch: true, responses: responses.map(expected) } },
    { ...answer, texts },
  );
  const prints = print.mock.calls.length;
  print.mockRestore();
  // The response without a call comes where a call has no response with its id.
  const results = [1, 2, 'id 0', ...ids.slice(1, 20)];
  expect(pairs.map(({ response }) => response['result'])).toEqual(results);
  expect(prints).toBeLessThan(2 * ids.length);
});

test('the checks of an answer share what was parsed', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  const { verified } = await verifyShop(
    onText((text) => text.replace('"price"', `"more":"${'x'.repeat(100_000)}","price"`)),
    { phases: ['examples'], webSocket: undefined },
  );
  expect(verified.calls).toBeGreaterThan(1);
  const answers = parse.mock.calls.map(([text]) => text).filter((text) => text.length > 100_000);
  expect(answers).not.toEqual([]);
  // Another call may come between the checks of an answer.
  for (const times of Map.groupBy(answers, (text) => text).values()) {
    expect(times.length).toBeLessThan(3);
  }
});

test('members of a result that the document does not describe are not looked at', async () => {
  const contract = readContract((await toLoaded(shop)).model, { writes: false });
  const [method] = contract.methods;
  const result = { ...valid, more: 1 };
  const read = vi.fn();
  Object.defineProperty(result, 'more', { enumerable: true, get: read });
  const coverage = new Coverage(contract);
  coverage.addResult(method!, result);
  new Seeds(contract).learn(method!, result);
  expect(read).not.toHaveBeenCalled();
  const fields = coverage.rows().find(({ kind }) => kind === 'result field');
  expect(fields?.covered).toBe(Object.keys(valid).length);
});

test('values of results that are too long for params are not learned', async () => {
  const contract = readContract((await toLoaded(shop)).model, { writes: false });
  const seeds = new Seeds(contract);
  const before = seeds.of('Id').length;
  seeds.learn(contract.methods[0]!, { ...valid, id: 'x'.repeat(10_001) });
  seeds.learn(contract.methods[0]!, { ...valid, id: 'x'.repeat(10_000) });
  expect(seeds.of('Id').length).toBe(before + 1);
});

test('an id that is an object is not converted', () => {
  const read = vi.fn();
  const id = Object.defineProperty({}, 'more', { enumerable: true, get: read });
  expect(idOf({ id } as JsonObject)).toBeUndefined();
  expect(read).not.toHaveBeenCalled();
  expect([idOf({}), idOf({ id: null }), idOf({ id: 1 })]).toEqual([undefined, 'null', '1']);
});

test('the names that a server chooses are cut in messages', async () => {
  const reason = 'x'.repeat(100_000);
  const error = JSON.stringify({ code: -32_010, message: 'm', data: { reason } });
  const { verified } = await verifyShop(
    onText((text) => text.replace(/"result":.*/, `"error":${error}}`)),
    { phases: ['boundary'] },
  );
  const messages = verified.groups.map(({ failure }) => failure.message);
  expect(messages).toContainEqual(expect.stringMatching(/^undeclared reason x/));
  for (const message of messages) expect(message.length).toBeLessThan(2_001);
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

test('an answer is read up to 64 MiB', async () => {
  const server = createServer((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024 + 1)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = { url: `http://127.0.0.1:${port}` };
  const channel = openHttp({ target, timeout_ms: LIMITS.timeout_ms });
  open.push(channel.close, async () => {
    server.close();
    server.closeAllConnections();
  });
  const { failure } = await channel.send(MESSAGE);
  expect(failure).toMatch(
    /^no response: (?:UND_ERR_RES_EXCEEDED_MAX_SIZE|the response is too large)$/,
  );
});
