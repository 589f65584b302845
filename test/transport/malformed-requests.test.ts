import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UpstreamOutcome } from '../../src/upstream/upstream.ts';
import { call, post, serveNetwork } from './support.ts';

/** Sends bytes over one connection; resolves to the statuses of all answers once it is closed. */
function statusesOf(port: number, text: string, onSent?: () => void): Promise<string[]> {
  const socket = createConnection(port, '127.0.0.1');
  socket.write(text, onSent);
  return statusesOn(socket);
}

/** What Node says of a request whose headers were read. */
interface Start {
  readonly server: Server;
  readonly socket: Socket;
}

async function statusesOn(socket: Socket): Promise<string[]> {
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  await once(socket, 'close');
  return [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status!);
}

const POST = 'POST /v3/demo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';

describe('what cannot be read', () => {
  it.each([
    ['bytes that are not HTTP', '\0\0GARBAGE\r\n\r\n', '400'],
    ['a header that is too large', `${POST}x: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
    ['an unknown transfer coding', `${POST}transfer-encoding: xchunked\r\n\r\n{}`, '400'],
    ['a malformed chunk', `${POST}transfer-encoding: chunked\r\n\r\nGARBAGE\r\n`, '400'],
  ])('is refused after the answer to an earlier request: %s', async (_name, bytes, status) => {
    const answer = Promise.withResolvers<UpstreamOutcome>();
    const asked = Promise.withResolvers<void>();
    const network = await serveNetwork({
      upstream: () => {
        asked.resolve();
        return answer.promise;
      },
    });
    const statuses = statusesOf(network.listener.port, post(call()) + bytes);
    await asked.promise;
    // The malformed request, in the same read, was refused by now.
    await new Promise((resolve) => setImmediate(resolve));
    answer.resolve({ kind: 'result', result: Buffer.from('1') });
    expect(await statuses).toEqual(['200', status]);
  });

  it.each([
    ['a call', post(call()).replace('host: a', 'host: a\r\nconnection: close'), '200'],
    [
      'an upgrade without a key',
      'GET /ws/v3/demo HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      '400',
    ],
  ])('is refused for more than 100 headers, at the end of its connection: %s', async (...given) => {
    const [, text, status] = given;
    const [line = '', ...fields] = text.split('\r\n');
    const withHeaders = (count: number): string =>
      [line, ...Array<string>(count - fields.indexOf('')).fill('x: y'), ...fields].join('\r\n');
    const { port } = (await serveNetwork()).listener;
    expect(await statusesOf(port, withHeaders(100))).toEqual([status]);
    expect(await statusesOf(port, withHeaders(101) + post(call()))).toEqual(['431']);
  });

  it('is the end of its connection, also where the parser could go on', async () => {
    const answer = Promise.withResolvers<UpstreamOutcome>();
    const network = await serveNetwork({ upstream: () => answer.promise });
    const started: Start[] = [];
    const onStart = (start: unknown): void => void started.push(start as Start);
    subscribe('http.server.request.start', onStart);
    onTestFinished(() => void unsubscribe('http.server.request.start', onStart));
    const client = createConnection(network.listener.port, '127.0.0.1');
    const statuses = statusesOn(client);
    client.write(post(call(1)));
    await expect.poll(() => started).toHaveLength(1);
    const [{ server, socket }] = started as [Start];
    server.emit('clientError', Object.assign(new Error('paused'), { code: 'HPE_PAUSED' }), socket);
    client.write(post(call(2)));
    await expect.poll(() => started).toHaveLength(2);
    answer.resolve({ kind: 'result', result: Buffer.from('1') });
    expect(await statuses).toEqual(['200', '400']);
  });

  it('gets one answer where its request has one already', async () => {
    const network = await serveNetwork();
    const coding = `${POST}transfer-encoding: xchunked\r\n\r\n${post(call())}`;
    expect(await statusesOf(network.listener.port, coding)).toEqual(['400']);
  });

  it('gets no answer after the one that closes the connection', async () => {
    const network = await serveNetwork();
    const old = post(call()).replace('HTTP/1.1', 'HTTP/1.0');
    expect(await statusesOf(network.listener.port, old + post(call()))).toEqual(['200']);
  });
});
