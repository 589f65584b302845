import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as dial } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';
import { call, post, serveNetwork } from './support.ts';

describe('a connection over which no valid key was sent', () => {
  const document = 'GET /v3/openrpc.json HTTP/1.1\r\nhost: a\r\n\r\n';
  const limits = { http_pipelined: 128, http_refusals: 1_000 };

  it('is cut above 4 unanswered requests, unlike one with a key', async () => {
    const network = await serveNetwork({ limits });
    const stranger = dial(network.listener.port, '127.0.0.1');
    stranger.on('error', () => undefined);
    stranger.write(document.repeat(5));
    await eventually(() => network.cuts).toEqual(['pipelined']);
    const known = dial(network.listener.port, '127.0.0.1');
    onTestFinished(() => void known.destroy());
    let received = '';
    known.on('data', (data: Buffer) => (received += data.toString()));
    known.write(post(call()) + document.repeat(40));
    await eventually(() => received.match(/HTTP\/1\.1 200/g)).toHaveLength(41);
    expect(network.cuts).toEqual(['pipelined']);
  });

  it.each([
    ['documents', document],
    ['unknown paths', 'GET /unknown HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['preflight requests', 'OPTIONS /v3/x HTTP/1.1\r\nhost: a\r\n\r\n'],
  ])('is closed after 100 %s', async (_, sent) => {
    const network = await serveNetwork({ limits });
    const socket = dial(network.listener.port, '127.0.0.1');
    let answers = 0;
    let received = '';
    socket.on('data', (data: Buffer) => {
      received += data.toString();
      const count = received.match(/HTTP\/1\.1 \d/g)?.length ?? 0;
      if (count === answers) return;
      answers = count;
      socket.write(sent);
    });
    socket.write(sent);
    await once(socket, 'close');
    expect(answers).toBe(100);
    expect(received.match(/\nconnection: close\r/gi)).toHaveLength(1);
    expect(network.cuts).toEqual([]);
  });

  const long = `x-long: ${'x'.repeat(8_000)}\r\n`;
  it.each([
    ['while a document is not read', document.replace('\r\n', `\r\n${long}`).repeat(2), 2],
    [
      'while the body of a refused call is incomplete',
      `POST /v3/unknown HTTP/1.1\r\nhost: a\r\n${long}content-type: application/json\r\ncontent-length: 9\r\n\r\n[`,
      1,
    ],
  ])('keeps no headers %s', async (_, sent, count) => {
    const network = await serveNetwork({ limits });
    const requests: IncomingMessage[] = [];
    const collect = (message: unknown): void => {
      const { request } = message as { readonly request: IncomingMessage };
      if (request.socket.localPort === network.listener.port) requests.push(request);
    };
    subscribe('http.server.request.start', collect);
    onTestFinished(() => void unsubscribe('http.server.request.start', collect));
    const socket = dial(network.listener.port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(sent);
    const kept = () => requests.map(({ rawHeaders, headers }) => [rawHeaders, headers['x-long']]);
    await eventually(kept).toEqual(Array.from({ length: count }, () => [[], undefined]));
  });

  it('makes space for others, oldest first, when all connections of the address are in use', async () => {
    const network = await serveNetwork({ limits: { ...limits, connections: 6 } });
    const open = async () => {
      const socket = dial(network.listener.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    };
    const known = await open();
    const webSocket = new WebSocket(`${network.wsUrl}/ws/v3/demo`);
    onTestFinished(() => webSocket.close());
    await once(webSocket, 'open');
    known.write(post(call()));
    await once(known, 'data');
    const closed: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      const stranger = await open();
      stranger.on('close', () => closed.push(index));
      stranger.write('GET /unknown HTTP/1.1\r\nhost: a\r\n\r\n');
      await Promise.race([once(stranger, 'data'), once(stranger, 'close')]);
    }
    await eventually(() => closed).toEqual(Array.from({ length: 17 }, (_, index) => index));
    expect(known.closed).toBe(false);
    expect(webSocket.readyState).toBe(WebSocket.OPEN);
    const late = await open();
    late.write(post(call()));
    expect(String(await once(late, 'data'))).toContain('200 OK');
  });

  it('is closed, oldest first, when more than 1,000 have had time to send one', async () => {
    // Nothing else closes them.
    const patient = { http_headers_ms: 6e5, http_request_ms: 6e5, http_keep_alive_ms: 6e5 };
    const network = await serveNetwork({ limits: { ...limits, ...patient, connections: 10_000 } });
    const closed: number[] = [];
    const open = async (index: number) => {
      const socket = dial(network.listener.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.on('close', () => closed.push(index));
      await once(socket, 'connect');
      return socket;
    };
    const known = await open(-1);
    known.write(post(call()));
    await once(known, 'data');
    let opened = 0;
    for (; opened < 1_000; opened += 1) await open(opened);
    await expect
      .poll(async () => {
        await open(opened);
        opened += 1;
        return closed.length;
      })
      .toBeGreaterThan(0);
    expect(closed.toSorted((a, b) => a - b)).toEqual(closed.map((_, index) => index));
    // At most as many as were opened beyond the maximum.
    expect(closed.length).toBeLessThanOrEqual(opened - 1_000);
    known.write(post(call()));
    expect(String(await once(known, 'data'))).toContain('200 OK');
  });
});
