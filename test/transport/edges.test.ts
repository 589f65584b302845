import { once } from 'node:events';
import { Agent, request as open, type IncomingMessage } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errors } from '../../generated/errors.ts';
import { eventually } from './eventually.ts';
import { call, request, serveNetwork } from './support.ts';

describe('transport edge cases', () => {
  it('an unknown path is 404: another version, extra segments, a WebSocket path without an upgrade', async () => {
    const { httpUrl } = await serveNetwork();
    for (const path of [
      '/',
      '/v2/demo',
      '/v4/demo',
      '/v3/demo/more',
      '/v3/demo//',
      '/demo',
      '/ws/v3/demo',
      '/ws',
    ]) {
      expect(await request(httpUrl + path, { body: call() })).toMatchObject({
        status: 404,
        error: { code: -32600, data: { reason: 'unknown_path' } },
      });
    }
  });

  it('an unsupported HTTP method is 405 with Allow', async () => {
    const { httpUrl } = await serveNetwork();
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await request(`${httpUrl}/v3/demo`, {
        method,
        body: method === 'GET' ? null : call(),
      });
      expect(reply).toMatchObject({ status: 405, error: { code: -32600 } });
      expect(reply.headers.get('allow')).toBe('POST, OPTIONS');
      expect(reply.error!.data).toMatchObject({ allow: ['POST', 'OPTIONS'] });
    }
    const usage = await request(`${httpUrl}/v3/demo/usage`, { body: call() });
    expect(usage.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    const document = await request(`${httpUrl}/v3/openrpc.json`, { body: call() });
    expect(document.status).toBe(405);
  });

  it('a missing or non-JSON Content-Type is 415', async () => {
    const { httpUrl } = await serveNetwork();
    const send = async (type: string | undefined): Promise<number> => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const body = Buffer.from(call());
      return (await request(`${httpUrl}/v3/demo`, { body, headers })).status;
    };
    const headers = { 'content-type': 'text/plain' };
    const refused = await request(`${httpUrl}/v3/demo`, { body: call(), headers });
    expect(refused.error!.data).toMatchObject({
      reason: 'unsupported_media_type',
      fix: errors.UnsupportedMediaType.fix,
    });
    for (const type of [undefined, 'text/plain', 'application/jsonx', 'multipart/form-data', '']) {
      expect(await send(type)).toBe(415);
    }
    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json-rpc',
      'application/vnd.api+json',
    ]) {
      expect(await send(type)).toBe(200);
    }
  });

  it('a body one byte over 1 MiB is 413, with or without Content-Length', async () => {
    const { httpUrl } = await serveNetwork();
    const padded = (length: number): string => call().padEnd(length);
    expect((await request(`${httpUrl}/v3/demo`, { body: padded(1_048_576) })).status).toBe(200);
    for (const length of [1_048_577, 3_000_000]) {
      expect(await request(`${httpUrl}/v3/demo`, { body: padded(length) })).toMatchObject({
        status: 413,
        error: { code: -32600, data: { reason: 'request_too_large', limitBytes: 1_048_576 } },
      });
    }
    const stream = new Blob([padded(2_000_000)]).stream();
    const streamed = await request(`${httpUrl}/v3/demo`, { body: stream, duplex: 'half' });
    expect(streamed.status).toBe(413);
  });

  it('an endless body is answered and the connection cut', async () => {
    const { listener } = await serveNetwork();
    const socket = createConnection(listener.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /v3/demo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const sending = setInterval(() => socket.write(chunk), 0);
    const received: Buffer[] = [];
    socket.on('data', (data) => received.push(data));
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(sending);
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1.1 413 /);
  });

  it('invalid HTTP is 400, and the connection is closed', async () => {
    const { listener } = await serveNetwork();
    const socket = createConnection(listener.port, '127.0.0.1');
    socket.write('nonsense\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 400 /);
  });

  it('a request without exactly one Host is 400, with a reason and the request id', async () => {
    const { listener } = await serveNetwork();
    const ask = async (method: string, headers: readonly string[]): Promise<string> => {
      const socket = createConnection(listener.port, '127.0.0.1');
      const lines = [...headers, 'connection: close', 'content-type: application/json'];
      socket.write(`${method}\r\n${lines.join('\r\n')}\r\ncontent-length: 2\r\n\r\n[]`);
      return text(socket);
    };
    const missing = await ask('POST /v3/demo HTTP/1.1', []);
    expect(missing).toMatch(/^HTTP\/1.1 400 [^]*x-request-id: t-[^]*the Host header is missing/);
    const several = await ask('POST /v3/demo HTTP/1.1', ['host: a', 'HOST: b']);
    expect(several).toMatch(/^HTTP\/1.1 400 [^]*expected one Host header, got several/);
    const upgrade = ['connection: upgrade', 'upgrade: websocket', 'host: a', 'host: b'];
    expect(await ask('GET /ws/v3/demo HTTP/1.1', upgrade)).toMatch(/one Host header, got several/);
    expect(await ask('POST /v3/demo HTTP/1.0', [])).toContain(
      'expected at least one request in a batch',
    );
  });

  it('a refused connection is closed even if the client never closes it', async () => {
    const { listener } = await serveNetwork();
    const { port } = listener;
    const refused = [
      'nonsense\r\n\r\n',
      'GET /ws/v3/unknown HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    ].map(async (sent) => {
      const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.write(sent);
      expect(await text(socket)).toMatch(/^HTTP\/1.1 40[01] /);
    });
    await Promise.all(refused);
    // Far longer than a test may take.
    await listener.close(600_000);
  });

  it('CONNECT is refused with 405', async () => {
    const { listener } = await serveNetwork();
    const socket = createConnection(listener.port, '127.0.0.1');
    socket.write('CONNECT node.example:443 HTTP/1.1\r\nhost: node.example:443\r\n\r\n');
    expect(await text(socket)).toMatch(
      /^HTTP\/1.1 405 [^]*x-request-id: t-[^]*allow: POST, OPTIONS[^]*http_method_not_allowed/,
    );
  });

  it('a preflight from any origin is answered without a key', async () => {
    const { httpUrl } = await serveNetwork();
    const headers = {
      origin: 'https://dapp.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,solana-client',
    };
    const reply = await request(`${httpUrl}/v3/whatever`, { method: 'OPTIONS', headers });
    expect(reply.status).toBe(204);
    const seen = Object.fromEntries(reply.headers);
    expect(seen).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'content-type, solana-client, x-request-id, traceparent',
    });
    expect(seen['access-control-expose-headers']).toContain('ratelimit');
  });

  it('the document is served without a key, with a tag', async () => {
    const { httpUrl } = await serveNetwork();
    const reply = await request(`${httpUrl}/v3/openrpc.json`, { method: 'GET' });
    expect(reply).toMatchObject({ status: 200, body: { openrpc: '1.3.2' } });
    const etag = reply.headers.get('etag')!;
    const again = await request(`${httpUrl}/v3/openrpc.json`, {
      method: 'GET',
      headers: { 'if-none-match': etag },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
    const head = await request(`${httpUrl}/v3/openrpc.json`, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers.get('content-length'))).toBe(reply.text.length);
  });

  it("an account's usage of the day is served under its key, free of charge", async () => {
    const now_ms = (): number => Date.parse('2026-11-21T12:00:00Z');
    const { httpUrl } = await serveNetwork({ now_ms });
    await request(`${httpUrl}/v3/demo`, { body: `[${call(1)},${call(2)}]` });
    const reply = await request(`${httpUrl}/v3/demo/usage`, { method: 'GET' });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      account: 'acme',
      plan: 'free',
      day: '2026-11-21',
      limit: 1_000_000,
      used: 160,
      lost: 0,
      remaining: 999_840,
      resetsAt: '2026-11-22T00:00:00.000Z',
      methods: { eth_getBlock: { calls: 2, credits: 160 } },
    });
    expect((await request(`${httpUrl}/v3/unknown/usage`, { method: 'GET' })).status).toBe(401);
  });
});

describe('a draining server', () => {
  it('answers accepted requests and those that arrive before it closes, with connection: close', async () => {
    const started = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const network = await serveNetwork({
      upstream: async ({ params }) => {
        started.resolve();
        await answer.promise;
        return { kind: 'result', result: params };
      },
    });
    const taken = request(`${network.httpUrl}/v3/demo`, { body: call() });
    await started.promise;
    network.drain();
    const late = request(`${network.httpUrl}/v3/demo`, { body: call(2) });
    await eventually(() => network.connections.http).toBe(2);
    const closed = network.listener.close(5_000);
    answer.resolve();
    expect(await taken).toMatchObject({ status: 200 });
    const { status, headers } = await late;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closed;
    await expect(request(`${network.httpUrl}/v3/demo`, { body: call() })).rejects.toThrow();
    expect(network.connections.http).toBe(0);
  });

  it('answers a call that was on its way over an idle connection, so that a proxy loses none', async () => {
    const network = await serveNetwork();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const send = async (): Promise<IncomingMessage> => {
      const asked = open(`${network.httpUrl}/v3/demo`, {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      asked.end(call());
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      await text(response);
      return response;
    };
    expect((await send()).headers.connection).toBe('keep-alive');
    network.drain();
    const closed = network.listener.close(5_000);
    const { statusCode, headers } = await send();
    expect([statusCode, headers.connection]).toEqual([200, 'close']);
    await closed;
    expect(network.connections.http).toBe(0);
  });

  it('closes connections that have sent nothing', async () => {
    const network = await serveNetwork({ limits: { http_headers_ms: 600_000 } });
    const socket = createConnection(network.listener.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.resume();
    await eventually(() => network.connections.http).toBe(1);
    await network.listener.close(600_000);
    await eventually(() => network.connections.http).toBe(0);
  });

  it('cuts requests that exceed the time limit', async () => {
    const started = Promise.withResolvers<void>();
    const network = await serveNetwork({
      upstream: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    });
    const taken = request(`${network.httpUrl}/v3/demo`, { body: call() });
    taken.catch(() => undefined);
    await started.promise;
    await network.listener.close(50);
    await expect(taken).rejects.toThrow();
  });
});
