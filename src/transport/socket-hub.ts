import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { err, type Result } from '../errors/result.ts';
import type { Session } from '../gateway/authenticator.ts';
import { every, type Periodic } from '../time/periodic.ts';
import { claimConnection, type NetworkService, type ServiceHolder } from './network-service.ts';
import { readOrigin } from './read-request.ts';
import { readRequestId } from './request-ids.ts';
import { refuseSocket } from './send-answer.ts';
import { recordValidKey } from './server.ts';
import { SocketSession } from './socket-session.ts';

/** The WebSockets of a network. */
export class SocketHub {
  readonly #holder: ServiceHolder;
  readonly #server: WebSocketServer;
  readonly #sessions = new Set<SocketSession>();
  readonly #requestIds = new WeakMap<IncomingMessage, string>();
  #heartbeat: Periodic;
  #allClosed: (() => void) | undefined;

  constructor(holder: ServiceHolder) {
    this.#holder = holder;
    this.#server = new WebSocketServer({
      noServer: true,
      ...messageLimits(holder.service),
      perMessageDeflate: false,
      // A session answers pings in their turn, like messages.
      autoPong: false,
      // No subprotocol is supported, and selecting one would promise it (RFC 6455, section 4.2.2).
      handleProtocols: () => false,
      clientTracking: false,
    });
    this.#server.on('headers', (headers, request) => {
      headers.push(`x-request-id: ${this.#requestIds.get(request) ?? ''}`);
    });
    // By default, ws answers these errors with bare HTML.
    this.#server.on('wsClientError', (error, socket, request) =>
      this.#refuse(error, socket, request),
    );
    this.#heartbeat = this.#startHeartbeat();
  }

  /** Applies the limits of a new service to open sockets. */
  refresh(): void {
    void this.#heartbeat.stop();
    this.#heartbeat = this.#startHeartbeat();
    Object.assign(this.#server.options, messageLimits(this.#holder.service));
  }

  /** Accepts an HTTP upgrade, or rejects it with an HTTP response. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const { service } = this.#holder;
    const admitted = admit(service, request, socket);
    if (!admitted.ok) {
      const connectionId = service.nextRequestId();
      return refuseSocket(service, socket, { error: admitted.error, connectionId });
    }
    const session = admitted.value;
    const connectionId =
      readRequestId(request, session.caller, service.authenticator) ?? service.nextRequestId();
    this.#requestIds.set(request, connectionId);
    readInPieces(socket);
    return this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const traceOrigin = readOrigin(request, 'link');
      const options = {
        holder: this.#holder,
        session,
        connection: socket,
        connectionId,
        traceOrigin,
      };
      const opened = new SocketSession(webSocket, options);
      this.#sessions.add(opened);
      service.observer.onConnection('websocket', 1);
      webSocket.on('close', () => {
        this.#sessions.delete(opened);
        service.observer.onConnection('websocket', -1);
        if (this.#sessions.size === 0) this.#allClosed?.();
      });
    });
  }

  /** Closes sockets whose keys are no longer valid. */
  recheck(): void {
    for (const session of this.#sessions) session.recheck();
  }

  /** Closes every socket once its calls are answered. Resolves when all are closed. */
  async drain(): Promise<void> {
    await this.#heartbeat.stop();
    if (this.#sessions.size === 0) return;
    const closed = new Promise<void>((resolve) => {
      this.#allClosed = resolve;
    });
    for (const session of this.#sessions) session.drain();
    await closed;
  }

  /** Cuts open sockets. */
  terminate(): void {
    for (const session of this.#sessions) session.terminate();
  }

  #startHeartbeat(): Periodic {
    const beat = (): void => {
      for (const session of this.#sessions) session.beat();
      this.recheck();
    };
    const { socket_heartbeat_ms } = this.#holder.service.limits;
    return every(socket_heartbeat_ms, beat, (error) =>
      this.#holder.service.observer.onError(error, ''),
    );
  }

  #refuse(error: Error, socket: Duplex, request: IncomingMessage): void {
    const { service } = this.#holder;
    const { errors } = service;
    const connectionId = this.#requestIds.get(request) ?? service.nextRequestId();
    if (request.method === 'GET') {
      const malformed = errors.fail('http_malformed', { data: { detail: error.message } });
      refuseSocket(service, socket, { error: malformed, connectionId });
      return;
    }
    refuseSocket(service, socket, {
      error: errors.fail('http_method_not_allowed', { data: { allow: ['GET'] } }),
      connectionId,
      headers: [['allow', 'GET']],
    });
  }
}

/** Maximum size of a piece. A read of 64 KiB may hold ten thousand messages. */
const PIECE_BYTES = 1_024;

/**
 * Maximum number of pieces of an incomplete message, in addition to those of a large one: ws removes pieces
 * one by one from an array, which takes quadratic time. 100,000 pieces stop the process for seconds.
 */
const MAX_SMALL_PIECES = 8_192;

/** A read of 1,448 bytes, a TCP segment, makes two pieces. */
const PIECES_PER_READ = 2;

function messageLimits({ limits: { request_bytes } }: NetworkService): {
  readonly maxPayload: number;
  readonly maxBufferedChunks: number;
} {
  const maxPieces = PIECES_PER_READ * Math.ceil(request_bytes / PIECE_BYTES) + MAX_SMALL_PIECES;
  return { maxPayload: request_bytes, maxBufferedChunks: maxPieces };
}

/**
 * Splits what is read from a socket into small pieces, so that a pause takes effect within a read: ws emits
 * all messages of a piece at once.
 */
function readInPieces(socket: Duplex): void {
  const push = socket.push.bind(socket);
  const unshift = socket.unshift.bind(socket);
  socket.push = (chunk: Buffer | null) =>
    chunk === null ? push(null) : piecesOf(chunk).reduce((_, piece) => push(piece), true);
  // Bytes that were received together with the request.
  socket.unshift = (chunk: Buffer) => {
    for (const piece of piecesOf(chunk).toReversed()) unshift(piece);
  };
}

function piecesOf(chunk: Buffer): readonly Buffer[] {
  if (chunk.length <= PIECE_BYTES) return [chunk];
  const count = Math.ceil(chunk.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, index) =>
    chunk.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
}

function admit(service: NetworkService, request: IncomingMessage, socket: Duplex): Result<Session> {
  const { errors } = service;
  const route = service.readRoute(request.url ?? '');
  if (route.kind !== 'websocket' && route.kind !== 'open') return err(errors.fail('unknown_path'));
  if (service.isDraining()) return err(errors.fail('shutting_down'));
  const session = service.authenticator.authenticate(route.key, request.headers);
  if (!session.ok) return session;
  const claimed = claimConnection(service, socket, session.value.caller);
  if (claimed.ok) recordValidKey(socket);
  return claimed.ok ? session : claimed;
}
