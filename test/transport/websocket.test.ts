import { once } from 'node:events';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { UpstreamOutcome } from '../../src/upstream/upstream.ts';
import { call, connect, request, serveNetwork } from './support.ts';
import { eventually } from './eventually.ts';

const errorOf = (message: unknown): { code: number; data: Record<string, unknown> } =>
  (message as { error: { code: number; data: Record<string, unknown> } }).error;

describe('a WebSocket', () => {
  it('answers text messages at {ws_url}/ws/v3/<key> as HTTP does', async () => {
    const { wsUrl } = await serveNetwork();
    for (const path of ['/ws/v3/demo', '/ws/v3/demo/']) {
      const client = await connect(wsUrl + path);
      client.socket.send(call(7));
      expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 7, result: ['0x1', true] });
      client.socket.send(`[${call(1)},${call('x')}]`);
      expect(await client.next()).toMatchObject([{ id: 1 }, { id: 'x' }]);
      client.socket.send('{"jsonrpc":');
      expect(errorOf(await client.next())).toMatchObject({ code: -32700 });
    }
  });

  it('does not answer notifications', async () => {
    const { wsUrl } = await serveNetwork();
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    client.socket.send('{"jsonrpc":"2.0","method":"eth_getBlock","params":["0x1",true]}');
    client.socket.send(call(2));
    expect(await client.next()).toMatchObject({ id: 2 });
    expect(client.messages).toHaveLength(1);
  });

  it('answers calls as they are ready, and stays open when credits run out', async () => {
    const slow = Promise.withResolvers<UpstreamOutcome>();
    let calls = 0;
    const { wsUrl } = await serveNetwork({
      plan: { creditsPerDay: 160 },
      upstream: ({ params }) => {
        calls += 1;
        return calls === 1 ? slow.promise : Promise.resolve({ kind: 'result', result: params });
      },
    });
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    for (const id of [1, 2, 3]) client.socket.send(call(id));
    const first = [await client.next(), await client.next()] as { id: number }[];
    expect(first.toSorted((left, right) => left.id - right.id)).toMatchObject([
      { id: 2, result: ['0x1', true] },
      { id: 3, error: { code: 402, data: { reason: 'credits_exhausted' } } },
    ]);
    slow.resolve({ kind: 'result', result: Buffer.from('1') });
    expect(await client.next()).toMatchObject({ id: 1, result: 1 });
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it.each(['GET /ws/v3/demo', 'CONNECT a:1'])(
    'refuses %s behind an unanswered request, once that is answered',
    async (line) => {
      const answer = Promise.withResolvers<UpstreamOutcome>();
      const sent = Promise.withResolvers<void>();
      const { listener } = await serveNetwork({
        upstream: () => {
          sent.resolve();
          return answer.promise;
        },
      });
      const socket = createConnection(listener.port, '127.0.0.1');
      const received = text(socket);
      const body = call();
      const first = `POST /v3/demo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      const fields =
        'host: a\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13';
      const key = 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==';
      socket.write(`${first}${line} HTTP/1.1\r\n${fields}\r\n${key}\r\n\r\n`);
      await sent.promise;
      answer.resolve({ kind: 'result', result: Buffer.from('"first"') });
      const statuses = [...(await received).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, code]) => code);
      expect(statuses).toEqual(['200', line.startsWith('GET') ? '400' : '405']);
      expect(await received).toContain('"first"');
    },
  );

  it('refuses an upgrade with an invalid key with 401 and a JSON error', async () => {
    const { wsUrl } = await serveNetwork();
    const refused: [path: string, status: number, reason: string][] = [
      ['/ws/v3/no-such-key-0123456789', 401, 'key_unknown'],
      ['/ws/v3/', 401, 'key_missing'],
      ['/v3/demo', 404, 'unknown_path'],
      ['/ws/v2/demo', 404, 'unknown_path'],
    ];
    for (const [path, status, reason] of refused) {
      const socket = new WebSocket(wsUrl + path);
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [
        unknown,
        AsyncIterable<Buffer> & { statusCode: number; headers: Record<string, string> },
      ];
      let text = '';
      for await (const chunk of response) text += chunk.toString();
      expect(response.statusCode).toBe(status);
      expect(JSON.parse(text)).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { data: { reason } },
      });
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['x-request-id']).toBeTruthy();
    }
  });

  it('prefixes its request ids with the id of the upgrade', async () => {
    const { wsUrl } = await serveNetwork();
    const socket = new WebSocket(`${wsUrl}/ws/v3/demo`);
    socket.on('open', () => socket.send('{}'));
    const [response] = (await once(socket, 'upgrade')) as [{ headers: Record<string, string> }];
    const [message] = (await once(socket, 'message')) as [Buffer];
    const { requestId } = errorOf(JSON.parse(message.toString())).data;
    expect(requestId).toBe(`${response.headers['x-request-id']}.1`);
    socket.terminate();
  });

  it('reads a binary message like a text message, and answers in text', async () => {
    const { wsUrl } = await serveNetwork();
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    client.socket.send(Buffer.from(call()));
    const [data, isBinary] = (await once(client.socket, 'message')) as [Buffer, boolean];
    expect([JSON.parse(data.toString()), isBinary]).toMatchObject([{ id: 1 }, false]);
    client.socket.send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    const [invalid] = (await once(client.socket, 'message')) as [Buffer];
    expect(JSON.parse(invalid.toString())).toMatchObject({
      id: null,
      error: { code: -32700, data: { reason: 'parse_error' } },
    });
    client.socket.terminate();
  });

  it('closes with 1009 on a message over 1 MiB', async () => {
    const { wsUrl } = await serveNetwork();
    const large = await connect(`${wsUrl}/ws/v3/demo`);
    large.socket.send(call().padEnd(1_048_576));
    expect(await large.next()).toMatchObject({ id: 1 });
    large.socket.send(call().padEnd(1_048_577));
    expect((await large.closed)[0]).toBe(1009);
  });

  it('refuses calls above its limit of calls in flight, counting each call of a batch', async () => {
    const open = Promise.withResolvers<void>();
    const { wsUrl } = await serveNetwork({
      limits: { socket_calls_in_flight: 3 },
      upstream: async ({ params }) => {
        await open.promise;
        return { kind: 'result', result: params };
      },
    });
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    client.socket.send(call(1));
    client.socket.send(`[${call(2)},${call(3)},${call(4)}]`);
    client.socket.send(`[${call(5)},${call(6)}]`);
    client.socket.send(call(7));
    expect(await client.next()).toMatchObject([{ id: null, error: { code: -32005 } }]);
    expect(await client.next()).toMatchObject({
      id: 7,
      error: { code: -32005, data: { reason: 'too_many_calls_in_flight', limitCalls: 3 } },
    });
    open.resolve();
    await client.next();
    await client.next();
    client.socket.send(call(8));
    expect(await client.next()).toMatchObject({ id: 8, result: ['0x1', true] });
  });

  it('abandons its calls when it closes, without canceling them', async () => {
    const started = Promise.withResolvers<void>();
    const abandoned = Promise.withResolvers<boolean>();
    const network = await serveNetwork({
      upstream: (asked, signal) =>
        new Promise(() => {
          started.resolve();
          asked.abandoned?.addEventListener('abort', () => abandoned.resolve(signal.aborted));
        }),
    });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.send(call());
    await started.promise;
    expect(network.connections.websocket).toBe(1);
    client.socket.close();
    expect(await abandoned.promise).toBe(false);
    await eventually(() => network.connections.websocket).toBe(0);
  });

  it('is not read while too many answers are unread, and is cut when they pile up', async () => {
    const result = Buffer.from(JSON.stringify('x'.repeat(500_000)));
    let performed = 0;
    const network = await serveNetwork({
      limits: {
        socket_calls_in_flight: 1_000,
        unsent_connection_bytes: 64_000_000,
        unsent_account_bytes: 64_000_000,
        unsent_bytes: 64_000_000,
      },
      upstream: () => {
        performed += 1;
        return Promise.resolve({ kind: 'result', result });
      },
    });
    const slow = await connect(`${network.wsUrl}/ws/v3/demo`);
    slow.socket.pause();
    // Long enough that few of them fit into what is read before the reading stops.
    for (let id = 0; id < 120; id += 1) slow.socket.send(call(id).padEnd(60_000));
    await eventually(() => performed).toBeGreaterThan(5);
    const other = await connect(`${network.wsUrl}/ws/v3/demo`);
    other.socket.send(call());
    await other.next();
    expect(performed).toBeLessThan(80);
    slow.socket.resume();
    await eventually(() => slow.messages.length).toBe(120);

    const tight = await serveNetwork({
      limits: { unsent_connection_bytes: 1_000_000 },
      upstream: () => Promise.resolve({ kind: 'result', result }),
    });
    const cut = await connect(`${tight.wsUrl}/ws/v3/demo`);
    cut.socket.pause();
    cut.socket.send(`[${Array.from({ length: 8 }, (_, id) => call(id)).join()}]`);
    for (let id = 0; id < 19; id += 1) cut.socket.send(call(id));
    await eventually(() => tight.connections.websocket).toBe(0);
  });

  it('is cut when it does not answer pings, and kept when it does', async () => {
    const network = await serveNetwork({ limits: { socket_heartbeat_ms: 500 } });
    const deaf = new WebSocket(`${network.wsUrl}/ws/v3/demo`, { autoPong: false });
    const kept = await connect(`${network.wsUrl}/ws/v3/demo`);
    await once(deaf, 'close');
    expect(kept.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('has its pings answered in the turn of its account', async () => {
    const network = await serveNetwork();
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const run = vi.spyOn(network.service.turns, 'run');
    const pongs: string[] = [];
    client.socket.on('pong', (data) => pongs.push(String(data)));
    const sent = Array.from({ length: 40 }, (_, index) => `ping ${index}`);
    for (const data of sent) client.socket.ping(data);
    await eventually(() => pongs).toEqual(sent);
    expect(run.mock.calls.map(([account]) => account)).toEqual(sent.map(() => 'acme'));
  });

  it('is cut when it sends pongs without end', async () => {
    const { wsUrl } = await serveNetwork();
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    for (let count = 0; count <= 1_000; count += 1) client.socket.pong();
    expect((await client.closed)[0]).toBe(1006);
  });

  it('does not negotiate compression', async () => {
    const { wsUrl } = await serveNetwork();
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    expect(client.socket.extensions).toBe('');
  });

  it('of a draining server gets pending answers, has new calls refused, and closes with 1001', async () => {
    const answer = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const network = await serveNetwork({
      upstream: async ({ params }) => {
        started.resolve();
        await answer.promise;
        return { kind: 'result', result: params };
      },
    });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const idle = await connect(`${network.wsUrl}/ws/v3/demo`);
    client.socket.send(call(1));
    await started.promise;
    network.drain();
    const closed = network.listener.close(5_000);
    expect((await idle.closed)[0]).toBe(1001);
    client.socket.send(call(2));
    expect(await client.next()).toMatchObject({
      id: 2,
      error: { data: { reason: 'shutting_down' } },
    });
    answer.resolve();
    expect(await client.next()).toMatchObject({ id: 1, result: ['0x1', true] });
    expect((await client.closed)[0]).toBe(1001);
    await closed;
  });

  it('shares its port with HTTP', async () => {
    const { wsUrl, httpUrl } = await serveNetwork();
    await connect(`${wsUrl}/ws/v3/demo`);
    expect((await request(`${httpUrl}/v3/demo`, { body: call() })).status).toBe(200);
  });
});
