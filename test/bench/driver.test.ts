import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { createCallers } from '../../bench/load/callers.ts';
import { drive, type Driven, type Load } from '../../bench/load/drive.ts';

const HASH = `0x${'ab'.repeat(32)}`;

interface Setting {
  readonly answer: RequestListener;
  readonly over?: Partial<Load>;
}

/** Drives a server for a moment; resolves to the figures and the bodies that it received. */
async function driveServer({ answer, over }: Setting): Promise<Driven & { bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      answer(request, response);
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      bodies.push(String(data));
      socket.send('0123456789');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const load: Load = {
    url: `http://127.0.0.1:${port}/path`,
    body: JSON.stringify([HASH, '0x1000000', 'text']),
    connections: 3,
    window_ms: 50,
    min_bytes: 10,
    ...over,
  };
  const url = load.url.replace('PORT', String(port));
  const driven = await drive(await createCallers()({ ...load, url }), load);
  return { ...driven, bodies };
}

describe('the driver of the benchmark', () => {
  it.each<[name: string, answer: RequestListener]>([
    ['with a length', (_, response) => response.end('0123456789')],
    [
      'in chunks',
      (_, response) => {
        response.write('01234');
        setImmediate(() => response.end('56789'));
      },
    ],
  ])('counts answers %s, and asks for something else each time', async (_name, answer) => {
    const { requests, failures, bodies, p50_ms, p99_ms } = await driveServer({ answer });
    expect(failures).toBe(0);
    expect(requests).toBe(bodies.length);
    expect(requests).toBeGreaterThanOrEqual(3);
    expect(new Set(bodies).size).toBe(bodies.length);
    for (const body of bodies) {
      expect(body).toMatch(/^\["0x(ab){29}a[\da-f]{5}","0x10[\da-f]{5}","text"\]$/);
    }
    expect(p50_ms).toBeGreaterThan(0);
    expect(p99_ms).toBeGreaterThanOrEqual(p50_ms);
  });

  it.each<[name: string, answer: RequestListener]>([
    ['another status', (_, response) => void response.writeHead(500).end('0123456789')],
    ['too few bytes', (_, response) => response.end('012345678')],
    ['no answer', (request) => request.socket.destroy()],
  ])('counts %s as a failure', async (_name, answer) => {
    const { requests, failures } = await driveServer({ answer });
    expect(failures).toBe(requests);
    expect(requests).toBeGreaterThanOrEqual(3);
  });

  it('calls over WebSocket', async () => {
    const { requests, failures, bodies } = await driveServer({
      answer: (_, response) => response.end(),
      over: { url: 'ws://127.0.0.1:PORT/' },
    });
    expect({ requests, failures }).toEqual({ requests: bodies.length, failures: 0 });
    expect(requests).toBeGreaterThanOrEqual(3);
  });

  it('sends at a fixed rate at most, the same request when asked to', async () => {
    const { requests, bodies } = await driveServer({
      answer: (_, response) => response.end('0123456789'),
      over: { rate_per_s: 400, isRepeated: true },
    });
    expect(requests).toBeGreaterThan(1);
    expect(requests).toBeLessThanOrEqual(20);
    expect(new Set(bodies).size).toBe(1);
  });
});
