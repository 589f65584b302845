import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GatewayReason } from '../errors/catalog.ts';
import { TimeoutError, within } from '../time/within.ts';
import { countConnections, HostRouter, type IsTrusted, type ServedNetwork } from './host-router.ts';
import { createHttpHandler } from './http.ts';
import { closeByServer, endDetached, endUnreadable, lastDeliveryOn } from './http-connection.ts';
import { checkHost, hasTooManyHeaders } from './read-request.ts';
import { refuseSocket, type SocketRefusal } from './send-answer.ts';
import { ConnectionServer, type Certificates } from './server.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** What is served at an address; may be replaced while connections are open. */
export interface Serving {
  /** At least one. */
  readonly networks: readonly ServedNetwork[];
  /** Peers whose X-Forwarded-Host is trusted; none when absent. */
  readonly isTrusted?: IsTrusted;
  /** Absent: plain HTTP. */
  readonly certificates?: Certificates | undefined;
}

const trustNone: IsTrusted = () => false;

/** Opens a listener; rejects when the address is not available or a certificate cannot be used. */
export async function listen(serving: Serving, address: ListenAddress): Promise<Listener> {
  const listener = new Listener(serving);
  await listener.open(address);
  return listener;
}

/** Networks served over HTTP and WebSocket on one port. */
export class Listener {
  readonly #router: HostRouter;
  readonly #server: ConnectionServer;
  #cutCalls = 0;
  #isClosing = false;

  constructor({ networks, isTrusted = trustNone, certificates }: Serving) {
    this.#router = new HostRouter(networks, isTrusted);
    this.#server = new ConnectionServer(this.#router.first.service, certificates);
    const { http, readyEvent } = this.#server;
    const handle = createHttpHandler(this.#router);
    const counter = countConnections(this.#router);
    const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
      counter.onRequest(request);
      if (this.#isClosing) response.shouldKeepAlive = false;
      handle(request, response);
    };
    http.on(readyEvent, counter.onConnection);
    http.on('request', onRequest);
    // Without a listener Node would ask for every body, even for requests that are refused without reading
    // it.
    http.on('checkContinue', onRequest);
    http.on('checkExpectation', handle);
    http.on('upgrade', (request, socket, head) => {
      counter.onRequest(request);
      this.#upgrade(request, socket, head);
    });
    // Without a listener Node would close the connection without an answer.
    http.on('connect', (request, socket) => this.#refuseConnect(request, socket));
    http.on('clientError', (error, socket) => this.#refuseMalformed(error, socket));
  }

  get port(): number {
    return this.#server.port;
  }

  /** Number of calls that `close` has cut. */
  get cutCalls(): number {
    return this.#cutCalls;
  }

  async open(address: ListenAddress): Promise<void> {
    try {
      await this.#server.listen(address);
    } catch (error) {
      await Promise.all(this.#router.endpoints.map((endpoint) => endpoint.close()));
      throw error;
    }
  }

  /**
   * Immediately replaces what is served, for open connections too. Resolves when the requests accepted
   * before have been answered. Cannot switch between HTTP and HTTPS.
   */
  serve({ networks, isTrusted = trustNone, certificates }: Serving): Promise<void> {
    if (certificates !== undefined) this.#server.renew(certificates);
    const replaced = this.#router.replace(networks, isTrusted);
    this.#server.apply(this.#router.first.service.limits);
    return replaced;
  }

  /** Checks the keys of open WebSockets again. */
  recheckKeys(): void {
    for (const { hub } of this.#router.endpoints) hub.recheck();
  }

  /**
   * Stops accepting connections, answers accepted requests and closes; cuts what is left after `limit_ms`.
   */
  async close(limit_ms: number): Promise<void> {
    const { endpoints } = this.#router;
    this.#isClosing = true;
    const drained = endpoints.map(({ hub }) => hub.drain());
    const closed = Promise.all([this.#server.close(), ...drained]);
    try {
      await within(limit_ms, closed);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      for (const { service } of endpoints) this.#cutCalls += service.rpc.callsInFlight();
      for (const { hub } of endpoints) hub.terminate();
      this.#server.destroy(closeByServer);
      await closed;
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const endpoint = this.#router.find(request);
    const host = checkHost(request);
    const { errors } = this.#router.first.service;
    if (lastDeliveryOn(request.socket) !== undefined) {
      const detail =
        'expected no upgrade before all earlier requests on the connection have a response';
      return this.#refuse(request, socket, {
        error: errors.fail('http_malformed', { data: { detail } }),
      });
    }
    if (hasTooManyHeaders(request)) {
      return this.#refuse(request, socket, { error: errors.fail('http_headers_too_large') });
    }
    if (!host.ok) {
      const error = errors.fail('http_malformed', { data: { detail: host.error } });
      return this.#refuse(request, socket, { error });
    }
    if (endpoint !== undefined) return endpoint.hub.upgrade(request, socket, head);
    const data = { host: this.#router.hostOf(request) };
    return this.#refuse(request, socket, { error: errors.fail('unknown_host', { data }) });
  }

  #refuseConnect(request: IncomingMessage, socket: Duplex): void {
    const allow = ['POST', 'OPTIONS'];
    const { errors } = this.#router.first.service;
    const error = errors.fail('http_method_not_allowed', { data: { allow } });
    this.#refuse(request, socket, { error, headers: [['allow', allow.join(', ')]] });
  }

  #refuse(
    request: IncomingMessage,
    socket: Duplex,
    refusal: Omit<SocketRefusal, 'connectionId'>,
  ): void {
    const { service } = this.#router.first;
    const connectionId = service.nextRequestId();
    const refuse = (): void => refuseSocket(service, socket, { ...refusal, connectionId });
    // Node's server no longer handles this socket: an unhandled reset would end the process.
    socket.on('error', () => socket.destroy());
    // Answers are sent in the order of their requests (RFC 9112, section 9.3.2).
    endDetached(request.socket, refuse);
  }

  #refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
    // Node reports each further read of an unreadable connection, also while an answer is being sent.
    if (socket.writableEnded && !socket.destroyed) return;
    if (error.code === 'ECONNRESET' || !socket.writable || isHandshakeError(error)) {
      socket.destroy();
      return;
    }
    endUnreadable(socket, () => {
      const { service } = this.#router.first;
      refuseSocket(service, socket, {
        error: service.errors.fail(reasonFor(error.code)),
        connectionId: service.nextRequestId(),
      });
    });
  }
}

/** Whether the TLS handshake failed, so that no HTTP answer can be sent. */
function isHandshakeError({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

/**
 * Returns the reason for an error of Node's parser, whose input never becomes a request (RFC 9110, section
 * 15.5).
 */
function reasonFor(code: string | undefined): GatewayReason {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'http_request_timeout';
  if (code === 'HPE_HEADER_OVERFLOW') return 'http_headers_too_large';
  return 'http_malformed';
}
