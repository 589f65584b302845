/** A plain HTTP server in place of a gateway: returns its name and what it was sent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

export interface StandIn {
  readonly port: number;
  /** Requests it has answered. */
  count(): number;
  stop(): Promise<void>;
}

export async function startStandIn(name: string): Promise<StandIn> {
  let count = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      count += 1;
      const { method, url, headers } = request;
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-request-id': `${name}-${count}`,
      });
      return response.end(JSON.stringify({ name, method, url, host: headers.host, body }));
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url }) => {
    socket.on('message', (data) => socket.send(`${name} ${url} ${String(data)}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
