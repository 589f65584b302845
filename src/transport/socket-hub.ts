import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RpcError } from '../errors/catalog.ts';
import { claimConnection } from './claim-connection.ts';
import { every, type Periodic } from '../time/periodic.ts';
import type { SocketHost } from './socket-host.ts';
import { refuseSocket } from './refuse-socket.ts';
import { readRequestId } from './request-ids.ts';
import { isRpcError, type Admitted, type Site } from './site.ts';
import { readOrigin } from './trace-origin.ts';
import { SocketSession } from './socket-session.ts';

/** The WebSockets of a network. */
export interface SocketHub {
  /** The site was replaced: sockets stay, and keep to the new limits. */
  refresh(): void;
  /** Answers an HTTP upgrade: lets it in, or refuses it with an HTTP answer. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the sockets whose keys no longer let in. */
  recheck(): void;
  /** Lets every socket answer what it took, then closes it; resolves when all are closed. */
  drain(): Promise<void>;
  /** Cuts what is still open. */
  terminate(): void;
}

export function createSocketHub(host: SocketHost): SocketHub {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: host.site.limits.request_bytes,
    perMessageDeflate: false,
    // None is spoken here, and to name one would be to promise it (RFC 6455, section 4.2.2).
    handleProtocols: () => false,
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
    const { site } = host;
    const connectionId =
      requestIds.get(request) ?? readRequestId(request, site.door) ?? site.nextRequestId();
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
  const startHeartbeat = (): Periodic =>
    every(
      host.site.limits.socket_heartbeat_ms,
      () => {
        for (const session of sessions) session.beat();
        for (const session of sessions) session.recheck();
      },
      (fault) => host.site.watcher.onFault(fault, ''),
    );
  let heartbeat = startHeartbeat();
  return {
    refresh() {
      void heartbeat.stop();
      heartbeat = startHeartbeat();
      server.options.maxPayload = host.site.limits.request_bytes;
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const { site } = host;
      const connectionId = readRequestId(request, site.door) ?? site.nextRequestId();
      const admitted = admit(site, request, socket);
      if (isRpcError(admitted))
        return refuseSocket(site, socket, { error: admitted, connectionId });
      requestIds.set(request, connectionId);
      return server.handleUpgrade(request, socket, head, (webSocket) => {
        const traceOrigin = readOrigin(request, 'link');
        const options = { host, admitted, connectionId, traceOrigin };
        const session = new SocketSession(webSocket, options);
        const { watcher } = site;
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

function admit(site: Site, request: IncomingMessage, socket: Duplex): Admitted | RpcError {
  const route = site.readRoute(request.url ?? '');
  if (route.kind !== 'websocket' && route.kind !== 'open') return site.errors.fail('unknown_path');
  if (site.isDraining()) return site.errors.fail('shutting_down');
  const admitted = site.door.admit(route.key, request.headers);
  if (isRpcError(admitted)) return admitted;
  return claimConnection(site, socket, admitted.caller) ?? admitted;
}
