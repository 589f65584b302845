import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RpcError } from '../errors/catalogue.ts';
import { every } from '../time/periodic.ts';
import { refuseSocket } from './refuse-socket.ts';
import { readRequestId } from './request-ids.ts';
import { readRoute } from './route.ts';
import { isRpcError, type Site } from './site.ts';
import { readOrigin } from './trace-origin.ts';
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
  // What ws would refuse by itself, as bare HTML.
  server.on('wsClientError', (error, socket, request) => {
    const connectionId = requestIds.get(request) ?? readRequestId(request) ?? site.nextRequestId();
    if (request.method === 'GET') {
      const malformed = site.errors.fail('http_malformed', { data: { detail: error.message } });
      return refuseSocket(site, socket, { error: malformed, connectionId });
    }
    const allow = ['GET'];
    return refuseSocket(site, socket, {
      error: site.errors.fail('http_method_not_allowed', { data: { allow } }),
      connectionId,
      headers: [['allow', allow.join(', ')]],
    });
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
      const connectionId = readRequestId(request) ?? site.nextRequestId();
      const { origin } = request.headers;
      const admitted = admit(site, request);
      if (isRpcError(admitted))
        return refuseSocket(site, socket, { error: admitted, connectionId });
      requestIds.set(request, connectionId);
      return server.handleUpgrade(request, socket, head, (webSocket) => {
        const { keyHash } = admitted;
        const traceOrigin = readOrigin(request, 'link');
        const options = { site, keyHash, origin, connectionId, traceOrigin };
        const session = new SocketSession(webSocket, options);
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
