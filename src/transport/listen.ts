import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { GatewayReason } from '../errors/catalog.ts';
import { TimeoutError, within } from '../time/within.ts';
import { countConnections } from './count-connections.ts';
import { followHandshakes, type Handshakes } from './handshakes.ts';
import { findHostFlaw } from './host-header.ts';
import { createHttpHandler } from './http.ts';
import { KeyRing, type Certificates } from './key-ring.ts';
import { Reception, type IsTrusted, type SiteAt } from './reception.ts';
import { refuseSocket, type Refusal } from './refuse-socket.ts';
import { readRequestId } from './request-ids.ts';
import type { TransportLimits } from './site.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** What is served at an address; may change while connections are open. */
export interface Serving {
  /** At least one. */
  readonly sites: readonly SiteAt[];
  /** Peers whose X-Forwarded-Host is believed; none when absent. */
  readonly isTrusted?: IsTrusted;
  /** The first one is for clients that name no host; absent: plain HTTP. */
  readonly certificates?: Certificates | undefined;
}

/** Networks being served over HTTP and WebSocket on one port. */
export interface Listener {
  readonly port: number;
  /**
   * Serves this instead, at once, over the connections there are. Resolves when what was taken
   * before is answered. Whether TLS is spoken cannot change.
   */
  serve(serving: Serving): Promise<void>;
  /** Has open WebSockets look at their keys again. */
  recheckKeys(): void;
  /** Takes no new connections, answers what was taken, and closes; cuts the rest after `limit_ms`. */
  close(limit_ms: number): Promise<void>;
}

const trustNobody: IsTrusted = () => false;

/** Rejects when the address cannot be listened on. Throws when a certificate cannot be used. */
export async function listen(
  { sites, isTrusted = trustNobody, certificates }: Serving,
  { host, port }: ListenAddress,
): Promise<Listener> {
  const reception = new Reception(sites, isTrusted);
  const { limits } = reception.speaker.site;
  const options = {
    connectionsCheckingInterval: Math.min(limits.http_headers_ms, 5_000),
    noDelay: true,
    // Node would refuse a request without one by itself, with an empty answer.
    requireHostHeader: false,
    // Other upgrades (h2c, offered by curl --http2 and some Java clients) are ignored: RFC 9110, 7.8.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === 'websocket',
  };
  const tls =
    certificates &&
    createTls(
      // As an HTTP server without TLS has it.
      { ...options, handshakeTimeout: limits.http_headers_ms, allowHalfOpen: true },
      certificates,
    );
  const server = tls?.server ?? createServer(options);
  keepTo(server, limits);
  // A client that has sent all it will send has not left: it waits for its answers. Node cannot be
  // asked for this in its options.
  Object.assign(server, { httpAllowHalfOpen: true });
  const handshakes = tls && followHandshakes(tls.server);
  const handle = createHttpHandler(reception);
  const counter = countConnections(reception);
  const connections = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on(tls === undefined ? 'connection' : 'secureConnection', counter.onConnection);
  const refuse = (
    request: IncomingMessage,
    socket: Duplex,
    { error, headers }: Pick<Refusal, 'error' | 'headers'>,
  ): void => {
    const { site } = reception.speaker;
    const connectionId = readRequestId(request, site.door) ?? site.nextRequestId();
    refuseSocket(site, socket, { error, connectionId, headers });
  };
  let isClosing = false;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    counter.onRequest(request);
    if (isClosing) response.shouldKeepAlive = false;
    handle(request, response);
  };
  server.on('request', take);
  // Unheard, Node would ask for every body, also of requests that are refused without it.
  server.on('checkContinue', take);
  server.on('checkExpectation', handle);
  server.on('upgrade', (request, socket, head) => {
    counter.onRequest(request);
    const entrance = reception.find(request);
    const detail = findHostFlaw(request);
    if (entrance !== undefined && detail === undefined) {
      return entrance.hub.upgrade(request, socket, head);
    }
    const { errors } = reception.speaker.site;
    const error =
      detail === undefined
        ? errors.fail('unknown_host', { data: { host: reception.hostOf(request) } })
        : errors.fail('http_malformed', { data: { detail } });
    return refuse(request, socket, { error });
  });
  // Unheard, Node would close the connection without an answer.
  server.on('connect', (request, socket) => {
    const allow = ['POST', 'OPTIONS'];
    const error = reception.speaker.site.errors.fail('http_method_not_allowed', {
      data: { allow },
    });
    refuse(request, socket, { error, headers: [['allow', allow.join(', ')]] });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isOfHandshake(error)) {
      return socket.destroy();
    }
    const { site } = reception.speaker;
    return refuseSocket(site, socket, {
      error: site.errors.fail(reasonFor(error.code)),
      connectionId: site.nextRequestId(),
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    await Promise.all(reception.entrances.map((entrance) => entrance.close()));
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port,
    serve(next) {
      if (next.certificates !== undefined) tls?.renew(next.certificates);
      const resting = reception.assign(next.sites, next.isTrusted ?? trustNobody);
      keepTo(server, reception.speaker.site.limits);
      return resting;
    },
    recheckKeys() {
      for (const { hub } of reception.entrances) hub.recheck();
    },
    async close(limit_ms) {
      const { entrances } = reception;
      isClosing = true;
      const drained = entrances.map(({ hub }) => hub.drain());
      const closed = Promise.all([closeServer(server, handshakes), ...drained]);
      try {
        await within(limit_ms, closed);
      } catch (error) {
        if (!(error instanceof TimeoutError)) throw error;
        for (const { hub } of entrances) hub.terminate();
        // Those that are no longer the HTTP server's, too.
        for (const socket of connections) socket.destroy();
        await closed;
      }
    },
  };
}

function createTls(
  options: ServerOptions & Pick<TlsOptions, 'handshakeTimeout' | 'allowHalfOpen'>,
  certificates: Certificates,
): { readonly server: SecureServer; renew(certificates: Certificates): void } {
  const ring = new KeyRing(certificates);
  const server = createSecureServer({ ...options, ...ring.optionsFor(certificates) });
  return { server, renew: (next) => ring.replace(server, next) };
}

function keepTo(server: Server | SecureServer, limits: TransportLimits): void {
  server.headersTimeout = limits.http_headers_ms;
  server.requestTimeout = limits.http_request_ms;
  server.keepAliveTimeout = limits.http_keep_alive_ms;
  server.maxConnections = limits.connections;
}

/** Whether no HTTP can be spoken with who made it. */
function isOfHandshake({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

/** How long a connection may be idle after the end of listening: a request may be on its way. */
const LINGER_MS = 100;

function closeServer(
  server: Server | SecureServer,
  handshakes: Handshakes | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const closing = setInterval(() => {
      server.closeIdleConnections();
      handshakes?.cut();
    }, LINGER_MS);
    // An HTTP server's own close would cut idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearInterval(closing);
      // Ends what else it does; that it listens no more is known.
      server.close(() => resolve());
    });
  });
}

/** What Node's parser refuses never becomes a request (RFC 9110, section 15.5). */
function reasonFor(code: string | undefined): GatewayReason {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'http_request_timeout';
  if (code === 'HPE_HEADER_OVERFLOW') return 'http_headers_too_large';
  return 'http_malformed';
}
