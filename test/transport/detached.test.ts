import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCompression } from '../../src/transport/compression.ts';
import type { UpstreamOutcome } from '../../src/upstream/upstream.ts';
import { eventually } from './eventually.ts';
import { call, serveNetwork } from './support.ts';

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n';

function post(fields = ''): string {
  const body = call();
  const head = 'POST /v3/demo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json';
  return `${head}\r\n${fields}content-length: ${body.length}\r\n\r\n${body}`;
}

function open(port: number): Socket {
  const socket = createConnection(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return socket;
}

const large: UpstreamOutcome = {
  kind: 'result',
  result: Buffer.from(`"${'x'.repeat(3_000_000)}"`),
};

describe('a request behind which a CONNECT follows at once', () => {
  it('gets its response, however large', async () => {
    const network = await serveNetwork({ upstream: () => Promise.resolve(large) });
    const socket = open(network.listener.port);
    socket.write(post() + CONNECT);
    const received = await text(socket);
    expect(received.length).toBeGreaterThan(3_000_000);
    expect(received).toContain('HTTP/1.1 405');
    expect(network.service.unsent.bytes).toBe(0);
  });

  it('is dropped when its client has left', async () => {
    const answers = [1, 2].map(() => Promise.withResolvers<UpstreamOutcome>());
    let calls = 0;
    let opened = 0;
    const compression = createCompression({
      brotliQuality: 1,
      gzipLevel: 1,
      from_bytes: 100,
      max_streams: 10,
    });
    const network = await serveNetwork({
      upstream: () => answers[calls++]!.promise,
      compression: {
        ...compression,
        open(coding) {
          opened += 1;
          return compression.open(coding);
        },
      },
    });
    const socket = open(network.listener.port);
    await once(socket, 'connect');
    const fields = 'accept-encoding: gzip\r\n';
    socket.write(post(fields) + post(fields) + CONNECT);
    await eventually(() => calls).toBe(2);
    socket.resetAndDestroy();
    await eventually(() => network.connections.http).toBe(0);
    for (const { resolve } of answers) resolve(large);
    await eventually(() => network.callsInFlight()).toBe(0);
    expect(opened).toBe(0);
    expect(await network.charged()).toBe(2 * 80);
  });
});
