import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { call, post, request, serveNetwork } from './support.ts';

/** What is answered to the head of a request, and then to its body; until the server closes. */
async function ask(port: number, headers: readonly string[], body = ''): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (data: Buffer) => {
    received += data.toString();
    if (received === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`POST /v3/demo HTTP/1.1\r\nhost: a\r\n${headers.join('\r\n')}\r\n\r\n`);
  await closed;
  return received;
}

const json = 'content-type: application/json';
const awaiting = 'expect: 100-continue';

describe('a client that expects 100 (Continue)', () => {
  it('gets an error at once if its body would be refused, and the connection is closed', async () => {
    const { listener } = await serveNetwork();
    const large = await ask(listener.port, [json, awaiting, 'content-length: 1048577']);
    expect(large).toMatch(/^HTTP\/1.1 413 [^]*\r\nconnection: close\r\n/i);
    expect(large).toContain('"request_too_large"');
    const odd = await ask(listener.port, ['content-type: text/csv', awaiting, 'content-length: 9']);
    expect(odd).toMatch(/^HTTP\/1.1 415 [^]*\r\nconnection: close\r\n/i);
  });

  it('gets 100 if its body is wanted', async () => {
    const { listener } = await serveNetwork();
    const body = call();
    const headers = [json, awaiting, `content-length: ${body.length}`, 'connection: close'];
    const answered = await ask(listener.port, headers, body);
    expect(answered).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
    expect(answered).toContain('"result":["0x1",true]');
  });
});

describe('a request that is refused without reading it', () => {
  const large = { body: call().padEnd(1_048_577) };
  const odd = { body: call(), headers: { 'content-type': 'text/csv' } };

  it('costs nothing, says so, and counts as a call', async () => {
    const { httpUrl } = await serveNetwork({ plan: { callsPerSecond: 2 }, monotonic_ms: () => 0 });
    const url = `${httpUrl}/v3/demo`;
    const replies = [];
    for (const init of [large, odd, large, odd]) replies.push(await request(url, init));
    expect(replies.map(({ status }) => status)).toEqual([413, 415, 429, 429]);
    const first = replies[0]!.headers;
    expect(first.get('x-credits-cost')).toBe('0');
    expect(first.get('ratelimit-policy')).toContain('"calls";q=2;w=1');
    expect(first.get('ratelimit')).toContain('"calls";r=1;t=1');
    expect(replies[2]!.headers.get('retry-after')).toBe('1');
  });

  it('reveals no balance without a valid key', async () => {
    const { httpUrl } = await serveNetwork();
    for (const init of [large, odd]) {
      const { status, headers } = await request(`${httpUrl}/v3/unknown`, init);
      expect([status, headers.get('ratelimit')]).toEqual([401, null]);
    }
  });
});

describe('a request without a valid key', () => {
  const unknown = (length: number): string =>
    `POST /v3/unknown HTTP/1.1\r\nhost: a\r\n${json}\r\ncontent-length: ${length}\r\n\r\n`;

  it('is refused without parsing a body above 4 KiB, as a batch if it is one', async () => {
    const { httpUrl, service } = await serveNetwork();
    const read = vi.spyOn(service.rpc, 'read');
    const url = `${httpUrl}/v3/unknown`;
    const single = await request(url, { body: call().padEnd(5_000) });
    const batch = await request(url, { body: ` [${call()}]`.padEnd(5_000) });
    expect([single.status, batch.status]).toEqual([401, 401]);
    expect(single.body).toMatchObject({ id: null });
    expect(batch.body).toMatchObject([{ id: null }]);
    expect(read).not.toHaveBeenCalled();
    const small = await request(url, { body: call(7) });
    expect(small.body).toMatchObject({ id: 7 });
  });

  it('gets no 100 (Continue) for a large body', async () => {
    const { listener } = await serveNetwork();
    const socket = createConnection(listener.port, '127.0.0.1');
    socket.write(unknown(5_000).replace('host', `${awaiting}\r\nhost`));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 [^]*\r\nconnection: close\r\n/i);
    socket.destroy();
  });
});

it('a transfer coding other than chunked is refused', async () => {
  const { listener } = await serveNetwork();
  const refused = await ask(listener.port, [
    json,
    'transfer-encoding: gzip, chunked',
    'connection: close\r\n\r\n0',
  ]);
  expect(refused).toMatch(/^HTTP\/1.1 400 /);
  expect(refused).toContain('unsupported Transfer-Encoding');
});

it.each([
  ['HTTP/1.0', 'chunked'],
  ['HTTP/1.1', 'gzip, chunked'],
])('the connection of an %s request in transfer coding %s is closed', async (version, coding) => {
  const { listener, service } = await serveNetwork();
  const read = vi.spyOn(service.rpc, 'read');
  const body = call();
  const head = `POST /v3/demo ${version}\r\nhost: a\r\n${json}\r\nconnection: keep-alive\r\n`;
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const socket = createConnection(listener.port, '127.0.0.1');
  socket.write(`${head}transfer-encoding: ${coding}\r\n\r\n${chunk}`);
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  expect((await text(socket)).match(/^HTTP\/1.1 \d+|^connection: .*$/gim)).toEqual([
    'HTTP/1.1 400',
    'connection: close',
  ]);
  expect(read).not.toHaveBeenCalled();
});

it('a WebSocket handshake accepts no subprotocol', async () => {
  const { wsUrl } = await serveNetwork();
  const socket = new WebSocket(`${wsUrl}/ws/v3/demo`, ['graphql-ws', 'jsonrpc']);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  const [response] = (await once(socket, 'upgrade')) as [IncomingMessage];
  expect(response.headers['sec-websocket-protocol']).toBeUndefined();
});

describe('an endless body in small pieces', () => {
  const chunked = `${json}\r\ntransfer-encoding: chunked\r\n\r\n`;

  /** What the server sends before it closes. What it has not read resets the connection. */
  async function receivedOn(socket: Socket): Promise<string> {
    let received = '';
    socket.on('data', (data: Buffer) => (received += data.toString()));
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    return received;
  }

  it.each([
    ['a request without a valid key', 'POST /v3/unknown', 401, 6_000],
    ['a request for an unknown path', 'POST /nowhere', 404, 6_000],
    ['a request for the document', 'GET /v3/openrpc.json', 200, 6_000],
    ['a request that may have no body', 'OPTIONS /v3/demo', 204, 6_000],
    ['a call', 'POST /v3/demo', 413, 20_000],
  ])('is not read on, and the connection is closed: %s', async (_, start, status, pieces) => {
    const { listener } = await serveNetwork();
    const socket = createConnection(listener.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const answered = receivedOn(socket);
    socket.write(`${start} HTTP/1.1\r\nhost: a\r\n${chunked}`);
    // Fewer than the client may send in larger pieces, and the last one is missing.
    socket.write('1\r\n \r\n'.repeat(pieces));
    const [first, ...others] = (await answered).split(/(?=^HTTP\/1\.1 )/m);
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nconnection: close\r\n`, 'i'));
    expect(others).toEqual([]);
  });

  it.each([
    ['without a valid key', 'unknown', 401, 32],
    // Each of the two calls that the rate limit allows is worth 33.
    ['of an account, beyond its rate limit', 'demo', 429, 2 * 33 + 32],
  ])('is not parsed any further: %s', async (_, key, status, pieces) => {
    const { listener } = await serveNetwork({ plan: { callsPerSecond: 2 }, now_ms: () => 0 });
    const pushed = vi.spyOn(IncomingMessage.prototype, 'push');
    onTestFinished(() => pushed.mockRestore());
    const socket = createConnection(listener.port, '127.0.0.1');
    const answered = receivedOn(socket);
    const start = `POST /v3/${key} HTTP/1.1\r\nhost: a\r\n${chunked}`;
    socket.write(start + '1\r\n \r\n'.repeat(10_000) + `0\r\n\r\n${start}`);
    expect(await answered).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nconnection: close\r\n`));
    expect(pushed.mock.calls.filter(([chunk]) => chunk !== null)).toHaveLength(pieces);
    // Node reuses the parser of the connection.
    const next = createConnection(listener.port, '127.0.0.1');
    onTestFinished(() => void next.destroy());
    next.write(post(call(77), 'unknown'));
    expect(String(await once(next, 'data'))).toContain('"id":77');
  });

  it('is not kept if the request is refused without reading it', async () => {
    const { listener } = await serveNetwork();
    const pushed = vi.spyOn(IncomingMessage.prototype, 'push');
    onTestFinished(() => pushed.mockRestore());
    const socket = createConnection(listener.port, '127.0.0.1');
    const answered = receivedOn(socket);
    socket.write(`POST /v3/demo HTTP/1.1\r\n${chunked}${'1\r\n \r\n'.repeat(9_000)}`);
    socket.end('0\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1.1 400 /);
    expect(pushed.mock.calls.filter(([chunk]) => chunk !== null)).toEqual([]);
  });
});
