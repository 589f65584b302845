import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { StreamFate } from '../rpc/call.ts';
import { Delivery, type AnswerHolder } from './delivery.ts';
import type { Site } from './site.ts';
import { StallWatch } from './stall-watch.ts';
import type { CutCause } from './unsent-answers.ts';

const connections = new WeakMap<Socket, HttpConnection>();

/** The connection of a socket, the same one for each of its requests. */
export function connectionOf(socket: Socket, site: Site): HttpConnection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new HttpConnection(socket, site);
    connections.set(socket, connection);
  }
  return connection;
}

/** A caller's HTTP connection, and the answers it has yet to take. */
export class HttpConnection implements AnswerHolder {
  readonly watch: StallWatch;
  readonly #socket: Socket;
  readonly #deliveries = new Set<Delivery>();
  /** Of its last request. */
  #site: Site;
  #cause: CutCause | undefined;
  /** Refusals in a row of requests that showed no valid key. */
  #refusals = 0;
  #ignored = 0;
  /** The answer after which the connection is closed. */
  #last: Delivery | undefined;

  constructor(socket: Socket, site: Site) {
    this.#socket = socket;
    this.#site = site;
    this.watch = new StallWatch({
      idle_ms: site.limits.stream_idle_ms,
      isBlocked: () => socket.writableLength > 0,
      onStall: () => this.cut('stalled'),
    });
    // Responses that are still waiting for their turn have no close of their own in every Node.
    socket.once('close', () => this.#endAll());
  }

  /**
   * Begins an answer; undefined where the request is not to be processed: the connection is being
   * closed (RFC 9112, section 9.6), or too many of its requests wait for their answers.
   */
  begin(response: ServerResponse, site: Site): Delivery | undefined {
    this.#site = site;
    if (this.#last !== undefined) this.#ignored += 1;
    const waiting = this.#deliveries.size + this.#ignored;
    if (waiting >= site.limits.http_pipelined) this.cut('pipelined');
    if (this.#last !== undefined || this.#cause !== undefined) return undefined;
    const delivery = new Delivery(this, response);
    this.#deliveries.add(delivery);
    response.once('close', () => this.#end(delivery));
    return delivery;
  }

  /** A request showed a valid key. */
  admitted(): void {
    this.#refusals = 0;
  }

  /** A request without a valid key is refused; whether that closes the connection. */
  refused(): boolean {
    this.#refusals += 1;
    return this.#refusals >= this.#site.limits.http_refusals;
  }

  /** This answer is the last one; what was asked after it is not processed. */
  close(last: Delivery): void {
    this.#last ??= last;
    let isAfter = false;
    for (const delivery of this.#deliveries) {
      if (isAfter) delivery.isDropped = true;
      isAfter ||= delivery === this.#last;
    }
  }

  /** Ends the connection at once, with what is under way on it. */
  cut(cause: CutCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#site.watcher.onCut(cause);
    this.#socket.destroy();
    this.#endAll();
  }

  #endAll(): void {
    for (const delivery of this.#deliveries) this.#end(delivery);
  }

  #end(delivery: Delivery): void {
    if (!this.#deliveries.delete(delivery)) return;
    delivery.end(this.#fateOf(delivery));
    if (this.#deliveries.size === 0) this.watch.stop();
    else this.watch.progress();
  }

  #fateOf({ response }: Delivery): StreamFate {
    if (this.#cause !== undefined) return this.#cause === 'sum' ? 'lost' : 'left';
    if (response.writableFinished) return 'all';
    // Who ended the connection is not known then; the caller gets the benefit of the doubt.
    return this.#site.isDraining() ? 'lost' : 'left';
  }
}
