import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { MessageTurns, type Senders } from '../../src/time/message-turns.ts';
import { createCompression } from '../../src/transport/compression.ts';
import { listen } from '../../src/transport/listen.ts';
import { WITHOUT_KEY } from '../../src/transport/network-service.ts';
import { ANSWER_BYTES } from '../../src/transport/unsent-answers.ts';
import { eventually } from './eventually.ts';
import {
  call,
  connect as connectSocket,
  echo,
  networkOver,
  post,
  request,
  serveNetwork,
} from './support.ts';

it('the HTTP requests of an account take turns with the messages of other accounts', async () => {
  const { service } = networkOver(echo);
  // Every message takes a millisecond.
  let now_ms = 0;
  Object.assign(service, { turns: new MessageTurns(() => now_ms) });
  let turnsOfOther = 0;
  let isDone = false;
  const before: number[] = [];
  const read = service.rpc.read.bind(service.rpc);
  service.rpc.read = (bytes) => {
    now_ms += 1;
    before.push(turnsOfOther);
    return read(bytes);
  };
  const networks = [{ name: 'evm', service, hostNames: [] }];
  const listener = await listen({ networks }, { host: '127.0.0.1', port: 0 });
  service.turns.run('other', () => {
    now_ms += 1;
    turnsOfOther += 1;
    return isDone ? undefined : 'unfinished';
  });
  const client = connect(listener.port, '127.0.0.1');
  const batch = `[${call(1)},${call(2)}]`;
  client.write([post(batch), post(batch), post(call())].join(''));
  let received = '';
  while (received.split('HTTP/1.1 200').length <= 3) {
    const [data] = (await once(client, 'data')) as [Buffer];
    received += data.toString();
  }
  isDone = true;
  client.destroy();
  await listener.close(100);
  expect(before).toHaveLength(3);
  expect(new Set(before).size).toBe(3);
});

it.each([
  ['demo', 200],
  ['unknown', 401],
])(
  'a connection is not read while two of its requests wait for a turn (key %s)',
  async (key, status) => {
    const { service, listener, cuts } = await serveNetwork({ limits: { http_refusals: 100 } });
    const waiting: (() => void)[] = [];
    let maxWaiting = 0;
    service.turns.wait = () =>
      new Promise((resolve) => (maxWaiting = Math.max(maxWaiting, waiting.push(resolve))));
    const client = connect(listener.port, '127.0.0.1');
    let received = '';
    client.on('data', (data: Buffer) => (received += data.toString()));
    // More than one read, so that few arrive together.
    const body = `${' '.repeat(100_000)}${call()}`;
    client.write(post(body).replace('/v3/demo', `/v3/${key}`).repeat(60));
    client.on('error', () => undefined);
    const answered = (): number => received.split(`HTTP/1.1 ${status} `).length - 1;
    await eventually(() => waiting.length >= 2).toBe(true);
    await expect
      .poll(() => waiting.shift()?.() ?? (answered() === 60 || cuts.length > 0), { interval: 1 })
      .toBe(true);
    expect({ answered: answered(), cuts }).toEqual({ answered: 60, cuts: [] });
    client.destroy();
    expect(maxWaiting).toBeLessThanOrEqual(3);
  },
);

it.each([
  ['a call', 'POST', '/v3/demo', 200],
  ['a call without a valid key', 'POST', '/v3/unknown', 401],
  ['a request that has none', 'OPTIONS', '/v3/demo', 204],
])('a large body is read in turns: %s', async (_, method, path, status) => {
  const { service, httpUrl } = await serveNetwork();
  const senders: Senders[] = [];
  const waiting: (() => void)[] = [];
  service.turns.wait = (sender) => {
    senders.push(sender);
    return new Promise((resolve) => waiting.push(resolve));
  };
  let isDone = false;
  const headers = { 'content-type': 'application/json' };
  const body = `${' '.repeat(1_000_000)}${call()}`;
  const answer = fetch(`${httpUrl}${path}`, { method, headers, body }).finally(
    () => (isDone = true),
  );
  await eventually(() => service.unsent.bytes).toBe(65_536 + ANSWER_BYTES);
  await expect.poll(() => waiting.shift()?.() ?? isDone, { interval: 1 }).toBe(true);
  expect((await answer).status).toBe(status);
  // One for the request, and one for each 256 KiB.
  expect(senders).toHaveLength(4);
  await eventually(() => service.unsent.bytes).toBe(0);
  expect(senders.every((each) => (each === WITHOUT_KEY) === (status !== 200))).toBe(true);
});

it.each([
  ['the document', 'GET', '/v3/openrpc.json', 200],
  ['a preflight request', 'OPTIONS', '/v3/demo', 204],
  ['an unknown path', 'GET', '/nowhere', 404],
  ['a call without a valid key', 'POST', '/v3/unknown', 401],
])(
  'a request that is not a call of an account waits for its turn: %s',
  async (_, method, path, status) => {
    const { service, httpUrl } = await serveNetwork();
    const turn = Promise.withResolvers<void>();
    const senders: Senders[] = [];
    service.turns.wait = (sender) => {
      senders.push(sender);
      return sender === WITHOUT_KEY ? turn.promise : undefined;
    };
    let isAnswered = false;
    const body = method === 'POST' ? call() : null;
    const headers = { 'content-type': 'application/json' };
    const answer = fetch(`${httpUrl}${path}`, { method, headers, body }).finally(
      () => (isAnswered = true),
    );
    await eventually(() => senders).toEqual([WITHOUT_KEY]);
    await request(`${httpUrl}/v3/demo`, { body: call() });
    expect(isAnswered).toBe(false);
    turn.resolve();
    expect((await answer).status).toBe(status);
  },
);

it('requests without a key count as unread answers while they wait for a turn', async () => {
  const { service, httpUrl } = await serveNetwork();
  const turn = Promise.withResolvers<void>();
  service.turns.wait = () => turn.promise;
  const answers = Array.from({ length: 3 }, () => fetch(`${httpUrl}/nowhere`));
  await eventually(() => service.unsent.anonymousBytes).toBe(3 * ANSWER_BYTES);
  turn.resolve();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(404);
  expect(service.unsent.anonymousBytes).toBe(0);
});

it.each([
  ['an upgrade without a valid key', 'GET /ws/v3/unknown HTTP/1.1', 401],
  ['an upgrade to an unknown path', 'GET /nowhere HTTP/1.1', 404],
  ['a CONNECT request', 'CONNECT a:1 HTTP/1.1', 405],
  ['bytes that are not HTTP', 'GARBAGE', 400],
])('a connection is refused in its turn, once: %s', async (_, line, status) => {
  const { service, httpUrl, listener, refusals } = await serveNetwork();
  const turn = Promise.withResolvers<void>();
  const senders: Senders[] = [];
  service.turns.wait = (sender) => {
    senders.push(sender);
    return sender === WITHOUT_KEY ? turn.promise : undefined;
  };
  const socket = connect(listener.port, '127.0.0.1');
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
  socket.write(`${line}\r\nhost: a\r\n${upgrade}\r\n`);
  await eventually(() => senders).toEqual([WITHOUT_KEY]);
  // Node reports each read of a connection that is not HTTP.
  socket.write('more');
  await request(`${httpUrl}/v3/demo`, { body: call() });
  expect({ received, refusals }).toEqual({ received: '', refusals: [] });
  turn.resolve();
  await once(socket, 'close');
  expect(received).toMatch(`HTTP/1.1 ${status} `);
  expect(refusals).toHaveLength(1);
});

it.each(['http', 'websocket'])('the calls of a batch over %s take turns too', async (transport) => {
  const { service, httpUrl, wsUrl } = await serveNetwork();
  const answer = service.rpc.answer.bind(service.rpc);
  let isWaiting: boolean | undefined;
  service.rpc.answer = (message, caller, context) => {
    // While another account has more to do, a caller waits.
    let isDone = false;
    service.turns.run('other', () => (isDone ? undefined : 'unfinished'));
    isWaiting = context.turn?.() !== undefined;
    isDone = true;
    return answer(message, caller, context);
  };
  const batch = `[${call(1)},${call(2)}]`;
  if (transport === 'http') await request(`${httpUrl}/v3/demo`, { body: batch });
  else {
    const client = await connectSocket(`${wsUrl}/ws/v3/demo`);
    client.socket.send(batch);
    await client.next();
  }
  expect(isWaiting).toBe(true);
});

it.each(['identity', 'gzip'])('a large result is sent in turns (%s)', async (coding) => {
  const compression = createCompression({
    brotliQuality: 1,
    gzipLevel: 1,
    from_bytes: 1_000,
    max_streams: 1,
  });
  const result = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
  const { service, httpUrl } = await serveNetwork({
    compression,
    upstream: async () => ({ kind: 'result', result: Buffer.from(result) }),
  });
  const accounts: Senders[] = [];
  const waiting: (() => void)[] = [];
  service.turns.wait = (account) => {
    accounts.push(account);
    return new Promise((resolve) => waiting.push(resolve));
  };
  let isDone = false;
  const headers = { 'content-type': 'application/json', 'accept-encoding': coding };
  const answered = request(`${httpUrl}/v3/demo`, { headers, body: call() }).finally(
    () => (isDone = true),
  );
  await expect.poll(() => waiting.shift()?.() ?? isDone, { interval: 1 }).toBe(true);
  expect((await answered).body).toMatchObject({ result: JSON.parse(result) });
  // One for the request, and one for each 256 KiB.
  expect(accounts.length).toBeGreaterThan(result.length / 262_144);
  expect(new Set(accounts).size).toBe(1);
});
