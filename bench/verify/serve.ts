import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Steps } from './reference.ts';

export interface Served {
  readonly http: string;
  readonly ws: string;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Delay of every answer. */
  readonly delay_ms?: number;
  /** Paths of the two URLs. */
  readonly paths: { readonly http: string; readonly ws: string };
  /** Sends WebSocket answers in binary messages. */
  readonly isBinary?: boolean;
}

/** Serves a server made of steps over HTTP and WebSocket, on a free port. */
export async function serveSteps(steps: Steps, options: ServeOptions): Promise<Served> {
  const { delay_ms = 0, paths, isBinary = false } = options;
  const server = createServer((request, response) => {
    void (async () => {
      const bytes = await buffer(request);
      if (delay_ms > 0) await pause(delay_ms);
      const path = decodeURIComponent(request.url ?? '');
      if (request.method === 'GET') {
        response.end(JSON.stringify({ used: steps.used() }));
        return;
      }
      const answer = steps.message({ transport: 'http', bytes, path });
      const headers = { 'content-type': 'application/json', ...answer.headers };
      response.writeHead(answer.status, answer.bodies.length === 0 ? {} : headers);
      response.end(answer.bodies[0] ?? '');
    })();
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    const path = decodeURIComponent(request.url ?? '');
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: Buffer) => {
      const answer = steps.message({ transport: 'websocket', bytes: data, path });
      for (const body of answer.bodies) socket.send(body, { binary: isBinary });
      if (answer.closes) socket.close();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    http: `http://${authority}${paths.http}`,
    ws: `ws://${authority}${paths.ws}`,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
