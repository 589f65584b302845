import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { DeliveryOutcome } from '../rpc/call.ts';
import { Delivery } from './delivery.ts';
import type { NetworkService } from './network-service.ts';
import { recordValidKey } from './server.ts';
import { destroyUnparsed, ReadingPace } from './stop-reading.ts';
import { StallWatch, type CutCause, type Holder } from './unsent-answers.ts';

/** An HTTP request and the response to it. */
export interface Exchange {
  readonly service: NetworkService;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Replaced by the caller's own id, if it sent one, once the request is authenticated. */
  requestId: string;
  readonly connection: HttpConnection;
  readonly delivery: Delivery;
}

/**
 * Maximum number of unanswered requests on a connection over which no valid key was sent, and of bytes in the
 * headers of those before another one: what is kept for them takes about twice as much memory.
 */
const MAX_PIPELINED_WITHOUT_KEY = 4;
const MAX_HEADER_BYTES_WITHOUT_KEY = 16_384;

/** Consecutive requests without a valid key, documents included, after which a connection is closed. */
const MAX_REQUESTS_WITHOUT_KEY = 100;

const connections = new WeakMap<Duplex, HttpConnection>();

/** Returns the connection of a socket: the same one for each of its requests. */
export function connectionOf(socket: Socket, service: NetworkService): HttpConnection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new HttpConnection(socket, service);
    connections.set(socket, connection);
  }
  return connection;
}

/** Returns the last answer on a socket that is not delivered yet. */
export function lastDeliveryOn(socket: Socket): Delivery | undefined {
  return connections.get(socket)?.lastDelivery;
}

/**
 * Calls `refuse` after the responses in progress on a socket, which Node no longer handles because of an
 * upgrade or a CONNECT.
 */
export function endDetached(socket: Socket, refuse: () => void): void {
  const connection = connections.get(socket);
  if (connection?.lastDelivery === undefined) refuse();
  else connection.endDetached(refuse);
}

/**
 * Handles bytes on a socket that cannot be read: calls `refuse` after the responses to the requests before
 * them. Does not call it after an answer that closes the connection, or a second time for one request.
 */
export function endUnreadable(socket: Duplex, refuse: () => void): void {
  const connection = connections.get(socket);
  if (connection === undefined) refuse();
  else connection.endUnreadable(refuse);
}

/** Records that the server, not the caller, is about to close a connection. */
export function closeByServer(socket: Socket): void {
  connections.get(socket)?.closeByServer();
}

/** An HTTP connection and the answers its caller has not read yet. */
export class HttpConnection implements Holder {
  readonly watch: StallWatch;
  readonly #socket: Socket;
  readonly #pace: ReadingPace;
  /** In the order of their requests, rarely more than one. */
  readonly #deliveries: Delivery[] = [];
  /** The service of its latest request. */
  #service: NetworkService;
  #cause: CutCause | undefined;
  /** Consecutive refusals of requests without a valid key. */
  #refusals = 0;
  /** Consecutive requests without a valid key, refused or not. */
  #withoutKey = 0;
  #hasSentKey = false;
  #ignored = 0;
  #isClosedByServer = false;
  #isUnreadable = false;
  /** The answer after which the connection is closed. */
  #last: Delivery | undefined;

  constructor(socket: Socket, service: NetworkService) {
    this.#socket = socket;
    this.#pace = new ReadingPace(socket);
    this.#service = service;
    this.watch = new StallWatch({
      idle_ms: service.limits.stream_idle_ms,
      isBlocked: () => socket.writableLength > 0,
      onStall: () => this.cut('stalled'),
    });
    // Not every version of Node emits `close` for responses that are still queued.
    socket.once('close', () => this.#endAll());
  }

  /**
   * Starts an answer. Returns undefined when the request must not be processed: the connection is
   * being closed (RFC 9112, section 9.6), or too many of its requests are unanswered.
   */
  begin(response: ServerResponse, service: NetworkService): Delivery | undefined {
    this.#service = service;
    // After an error, the parser may have skipped requests: a response would be taken for that to another one.
    const isEnding = this.#last !== undefined || this.#isUnreadable;
    if (isEnding) this.#ignored += 1;
    const waiting = this.#deliveries.length + this.#ignored;
    if (waiting >= this.#maxPipelined(service) || this.#hasLongHeaders()) this.cut('pipelined');
    if (isEnding || this.#cause !== undefined) return undefined;
    const delivery = new Delivery(this, response);
    this.#withoutKey += 1;
    delivery.isLast = this.#withoutKey >= MAX_REQUESTS_WITHOUT_KEY;
    this.#deliveries.push(delivery);
    response.on('close', () => this.#end(delivery));
    return delivery;
  }

  /** Whether a valid key was sent over it. */
  get hasSentKey(): boolean {
    return this.#hasSentKey;
  }

  /** The last answer that is not delivered yet. */
  get lastDelivery(): Delivery | undefined {
    return this.#deliveries.at(-1);
  }

  /** Resolves when the sender of one of its requests may continue; undefined if that is now. */
  waitForTurn(sender: string): Promise<void> | undefined {
    const turn = this.#service.turns.wait(sender);
    return turn && this.#pace.wait(turn);
  }

  #hasLongHeaders(): boolean {
    if (this.#hasSentKey) return false;
    const headers = this.#deliveries.flatMap(({ response }) => response.req.rawHeaders);
    return headers.reduce((sum, { length }) => sum + length, 0) > MAX_HEADER_BYTES_WITHOUT_KEY;
  }

  #maxPipelined({ limits: { http_pipelined } }: NetworkService): number {
    return this.#hasSentKey ? http_pipelined : Math.min(http_pipelined, MAX_PIPELINED_WITHOUT_KEY);
  }

  /** Records a request with a valid key. */
  authenticated(delivery: Delivery): void {
    delivery.isLast = false;
    if (!this.#hasSentKey) recordValidKey(this.#socket);
    this.#hasSentKey = true;
    this.#refusals = 0;
    this.#withoutKey = 0;
  }

  /**
   * Records that a request without a valid key is refused, once however often it is called. The connection
   * is closed after too many of them.
   */
  refused(delivery: Delivery): void {
    if (delivery.isRefusal) return;
    delivery.isRefusal = true;
    this.#refusals += 1;
    if (this.#refusals >= this.#service.limits.http_refusals) delivery.isLast = true;
  }

  /** Closes the connection after this answer; later requests are ignored. */
  closeAfter(last: Delivery): void {
    this.#last ??= last;
    let isAfter = false;
    for (const delivery of this.#deliveries) {
      if (isAfter) delivery.isIgnored = true;
      isAfter ||= delivery === this.#last;
    }
  }

  /** See the function of this name. */
  endDetached(refuse: () => void): void {
    // Node would not report that the socket takes more bytes of a response.
    this.#socket.on('drain', () => this.#deliveries[0]?.response.emit('drain'));
    // Nor would it read on, and so not notice that the client has left.
    this.#socket.resume();
    this.lastDelivery?.onEnd(refuse);
  }

  /** See the function of this name. */
  endUnreadable(refuse: () => void): void {
    if (this.#isUnreadable || this.#last !== undefined) return;
    this.#isUnreadable = true;
    const own = this.#deliveries.at(-1);
    // The rest of a request that is already being answered cannot be read.
    const isOwn = own !== undefined && !own.response.req.complete;
    const isAnswered = isOwn && own.response.headersSent;
    const before = isOwn && !isAnswered ? this.#deliveries.at(-2) : own;
    const end = isAnswered ? (): void => void this.#socket.end() : refuse;
    if (before === undefined) end();
    else before.onEnd(end);
  }

  /** Closes the connection at once, with all answers in progress. */
  cut(cause: CutCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#service.observer.onCut(cause);
    destroyUnparsed(this.#socket);
    this.#endAll();
  }

  /** See the function of this name. */
  closeByServer(): void {
    this.#isClosedByServer = true;
  }

  #endAll(): void {
    while (this.#deliveries.length > 0) this.#end(this.#deliveries[0]!);
  }

  #end(delivery: Delivery): void {
    const index = this.#deliveries.indexOf(delivery);
    if (index === -1) return;
    this.#deliveries.splice(index, 1);
    delivery.end(this.#outcomeOf(delivery));
    if (this.#deliveries.length === 0) this.watch.stop();
    else this.watch.progress();
  }

  #outcomeOf({ response }: Delivery): DeliveryOutcome {
    if (this.#cause !== undefined) return this.#cause === 'total_limit' ? 'cut' : 'caller_left';
    // Node discards what is written to a destroyed socket, and takes the response for finished.
    if (response.writableFinished && !this.#socket.destroyed) return 'complete';
    // While draining, either side may have closed the connection: the caller is not charged.
    return this.#isClosedByServer || this.#service.isDraining() ? 'cut' : 'caller_left';
  }
}
