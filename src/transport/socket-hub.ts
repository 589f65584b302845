import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RpcError } from '../errors/catalogue.ts';
import { every } from '../time/periodic.ts';
import { corsHeaders } from './cors.ts';
import { readRoute } from './route.ts';
import { isRpcError, type Site } from './site.ts';
import { SocketSession } from './socket-session.ts';

/** The WebSockets of a network. */
export interface SocketHub {
  /** Answers an HTTP upgrade: lets it in, or refuses it with an HTTP answer. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the sockets whose keys no longer let in. */
  recheck(): void;
  /** Lets every socket answer what it took, then closes it; resolves when all are closed. */
  drain(): Promise<void>;
  /** Cuts what is still open. */
  terminate(): void;
}

export function createSocketHub(site: Site): SocketHub {
  const { limits, watcher } = site;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.request_bytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const sessions = new Set<SocketSession>();
  const requestIds = new WeakMap<IncomingMessage, string>();
  let allClosed: (() => void) | undefined;
  server.on('headers', (headers, request) => {
    headers.push(`x-request-id: ${requestIds.get(request) ?? ''}`);
  });
  const heartbeat = every(
    limits.socket_heartbeat_ms,
    () => {
      for (const session of sessions) session.beat();
      for (const session of sessions) session.recheck();
    },
    (fault) => watcher.onFault(fault, ''),
  );
  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const connectionId = site.nextRequestId();
      const { origin } = request.headers;
      const admitted = admit(site, request);
      if (isRpcError(admitted)) return refuse(site, socket, { error: admitted, connectionId });
      requestIds.set(request, connectionId);
      return server.handleUpgrade(request, socket, head, (webSocket) => {
        const { keyHash } = admitted;
        const session = new SocketSession(webSocket, { site, keyHash, origin, connectionId });
        sessions.add(session);
        watcher.onConnection('websocket', 1);
        webSocket.on('close', () => {
          sessions.delete(session);
          watcher.onConnection('websocket', -1);
          if (sessions.size === 0) allClosed?.();
        });
      });
    },
    recheck() {
      for (const session of sessions) session.recheck();
    },
    async drain() {
      await heartbeat.stop();
      if (sessions.size === 0) return;
      const closed = new Promise<void>((resolve) => {
        allClosed = resolve;
      });
      for (const session of sessions) session.drain();
      await closed;
    },
    terminate() {
      for (const session of sessions) session.terminate();
    },
  };
}

function admit(site: Site, request: IncomingMessage): { keyHash: string } | RpcError {
  const route = readRoute(request.url ?? '');
  if (route.kind !== 'websocket') return site.errors.fail('unknown_path');
  if (site.isDraining()) return site.errors.fail('shutting_down');
  return site.door.admit(route.key, request.headers.origin);
}

/** Refuses an upgrade the way a plain HTTP request is refused. */
function refuse(
  site: Site,
  socket: Duplex,
  { error, connectionId }: { error: RpcError; connectionId: string },
): void {
  const body = Buffer.concat(site.rpc.refuse(undefined, error, connectionId).body);
  const fields = [
    ['x-request-id', connectionId],
    ['content-type', 'application/json'],
    ['content-length', String(body.length)],
    ['connection', 'close'],
  ];
  for (let index = 0; index < corsHeaders.length; index += 2) {
    fields.push([corsHeaders[index]!, corsHeaders[index + 1]!]);
  }
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head}\r\n`),
      body,
    ]),
  );
}
