import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { GatewayReason } from '../errors/catalogue.ts';
import { TimeoutError, within } from '../time/within.ts';
import { createHttpHandler } from './http.ts';
import { refuseSocket } from './refuse-socket.ts';
import type { Site } from './site.ts';
import { createSocketHub } from './socket-hub.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** A network being served over HTTP and WebSocket on one port. */
export interface Listener {
  readonly port: number;
  /** Has open WebSockets look at their keys again. */
  recheckKeys(): void;
  /** Takes no new connections, answers what was taken, and closes; cuts the rest after `limit_ms`. */
  close(limit_ms: number): Promise<void>;
}

/** Rejects when the address cannot be listened on. */
export async function listen(site: Site, { host, port }: ListenAddress): Promise<Listener> {
  const { limits, watcher } = site;
  const server = createServer({
    headersTimeout: limits.http_headers_ms,
    requestTimeout: limits.http_request_ms,
    keepAliveTimeout: limits.http_keep_alive_ms,
    connectionsCheckingInterval: Math.min(limits.http_headers_ms, 5_000),
    noDelay: true,
    // Other upgrades (h2c, offered by curl --http2 and some Java clients) are ignored: RFC 9110, 7.8.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.maxConnections = limits.connections;
  const hub = createSocketHub(site);
  const handle = createHttpHandler(site);
  server.on('request', handle);
  server.on('checkExpectation', handle);
  server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head));
  server.on('connection', (socket: Socket) => {
    watcher.onConnection('http', 1);
    socket.on('close', () => watcher.onConnection('http', -1));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    return refuseSocket(site, socket, {
      error: site.errors.fail(reasonFor(error.code)),
      connectionId: site.nextRequestId(),
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    recheckKeys: () => hub.recheck(),
    async close(limit_ms) {
      const closed = Promise.all([closeServer(server), hub.drain()]);
      try {
        await within(limit_ms, closed);
      } catch (error) {
        if (!(error instanceof TimeoutError)) throw error;
        hub.terminate();
        server.closeAllConnections();
        await closed;
      }
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** What Node's parser refuses never becomes a request (RFC 9110, section 15.5). */
function reasonFor(code: string | undefined): GatewayReason {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'http_request_timeout';
  if (code === 'HPE_HEADER_OVERFLOW') return 'http_headers_too_large';
  return 'http_malformed';
}
