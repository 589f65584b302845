import type { WebSocket } from 'ws';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalog.ts';
import type { TraceOrigin } from '../tracing/trace.ts';
import { countCalls, type Message } from '../rpc/message.ts';
import { SERVICE_ENDS } from '../rpc/front.ts';
import type { Answer } from '../rpc/core.ts';
import { isRpcError, type Admitted } from './site.ts';
import type { SocketHost } from './socket-host.ts';
import { SocketOutbox } from './socket-outbox.ts';
import { StallWatch } from './stall-watch.ts';
import type { CutCause, Holder } from './unsent-answers.ts';

/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;

export interface SessionOptions {
  readonly host: SocketHost;
  readonly admitted: Admitted;
  /** Names the connection; its requests are named after it. */
  readonly connectionId: string;
  /** The trace of the upgrade; calls over an open socket have traces of their own. */
  readonly traceOrigin: TraceOrigin | undefined;
}

/** One WebSocket: messages in, answers out in the order they are ready, all within bounds. */
export class SocketSession implements Holder {
  readonly #socket: WebSocket;
  readonly #options: SessionOptions;
  readonly #outbox: SocketOutbox;
  readonly #watch: StallWatch;
  #cause: CutCause | undefined;
  readonly #leaving = new AbortController();
  #callsInFlight = 0;
  #lastRequest = 0;
  /** Whether anything was heard from the other end, or taken by it, since the last heartbeat. */
  #isAlive = true;
  #isDraining = false;
  /** Its key no longer lets in: it is being closed. */
  #isExpelled = false;

  constructor(socket: WebSocket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#watch = new StallWatch({
      idle_ms: options.host.site.limits.stream_idle_ms,
      isBlocked: () => socket.bufferedAmount > 0,
      onStall: () => this.cut('stalled'),
    });
    this.#outbox = new SocketOutbox(socket, {
      holder: this,
      onChange: (waiting_bytes) => this.#keepPace(waiting_bytes),
      onTaken: () => {
        this.#live();
        this.#watch.progress();
      },
    });
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('pong', () => this.#live());
    // What breaks the protocol is closed by ws itself, with the code that says so.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  /** Ends the connection at once, with what is under way on it. */
  cut(cause: CutCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#options.host.site.watcher.onCut(cause);
    this.#socket.terminate();
    this.#end();
  }

  /** Cuts the connection when nothing came from the other end since the last heartbeat. */
  beat(): void {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    return this.#socket.ping();
  }

  /** Closes when the key no longer lets in. */
  recheck(): void {
    if (this.#isExpelled) return;
    const caller = this.#caller();
    if (isRpcError(caller)) this.#expel(undefined, caller);
  }

  /** Takes no more calls, and closes once those taken are answered. */
  drain(): void {
    this.#isDraining = true;
    this.#closeIfDrained();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    const { site } = this.#options.host;
    this.#isAlive = true;
    if (this.#isExpelled || this.#socket.readyState !== this.#socket.OPEN) return;
    if (isBinary) return this.#socket.close(UNSUPPORTED_DATA, 'send text messages');
    const caller = this.#caller();
    const message = site.rpc.read(data);
    if (isRpcError(caller)) return this.#expel(message, caller);
    const refusal = this.#refuse(countCalls(message));
    if (refusal !== undefined) return this.#sendError(message, refusal, caller);
    return void this.#answer(message, caller);
  }

  #refuse(calls: number): RpcError | undefined {
    const { errors, limits } = this.#options.host.site;
    if (this.#isDraining) return errors.fail('shutting_down');
    const limitCalls = limits.socket_calls_in_flight;
    if (this.#callsInFlight + calls <= limitCalls) return undefined;
    return errors.fail('too_many_calls_in_flight', { data: { scope: 'connection', limitCalls } });
  }

  async #answer(message: Message, caller: Caller): Promise<void> {
    const calls = countCalls(message);
    this.#callsInFlight += calls;
    const { site, leave } = this.#options.host.enter();
    const context = {
      requestId: this.#nextRequestId(),
      signal: this.#leaving.signal,
      origin: this.#options.traceOrigin,
    };
    const answer = await site.rpc.answer(message, caller, context);
    leave();
    this.#callsInFlight -= calls;
    this.#send(answer, caller);
    this.#closeIfDrained();
  }

  #send({ body, conclude }: Answer, caller?: Caller): void {
    if (body.length === 0) return conclude?.('all');
    if (this.#socket.readyState !== this.#socket.OPEN) return conclude?.(this.#fate());
    const account = caller?.accountId;
    return this.#outbox.push(this.#options.host.site, body, { account, conclude });
  }

  /** Reads no more messages while too much of the answers is not taken. */
  #keepPace(waiting_bytes: number): void {
    if (waiting_bytes > this.#options.host.site.limits.socket_pause_bytes) this.#socket.pause();
    else this.#socket.resume();
    if (waiting_bytes > 0) this.#watch.start();
    else this.#watch.stop();
  }

  #end(): void {
    this.#watch.stop();
    const fate = this.#fate();
    this.#leaving.abort(fate === 'lost' ? SERVICE_ENDS : undefined);
    this.#outbox.end(fate);
  }

  /** What becomes of answers that do not reach the other end. */
  #fate(): 'left' | 'lost' {
    if (this.#cause !== undefined) return this.#cause === 'sum' ? 'lost' : 'left';
    const isOurDoing = this.#isExpelled || this.#isDraining || this.#options.host.site.isDraining();
    return isOurDoing ? 'lost' : 'left';
  }

  /** A message of notifications only is never answered. */
  #sendError(message: Message | undefined, error: RpcError, caller?: Caller): void {
    const isSilent =
      message !== undefined &&
      message.kind !== 'unreadable' &&
      message.envelopes.every(({ id }) => id === null);
    if (isSilent) return;
    const { site } = this.#options.host;
    const requestId = this.#nextRequestId();
    site.watcher.onRefusal(error, requestId, caller);
    this.#send(site.rpc.refuse(message, error, requestId), caller ?? this.#options.admitted.caller);
  }

  #expel(message: Message | undefined, error: RpcError): void {
    this.#sendError(message, error);
    this.#isExpelled = true;
    // No answer can be sent from now on, and that is not the caller's doing.
    this.#leaving.abort(SERVICE_ENDS);
    this.#outbox.close(POLICY_VIOLATION, error.reason);
  }

  #caller(): Caller | RpcError {
    const { host, admitted } = this.#options;
    return host.site.door.recheck(admitted);
  }

  #closeIfDrained(): void {
    if (this.#isDraining && this.#callsInFlight === 0) {
      this.#outbox.close(GOING_AWAY, 'shutting_down');
    }
  }

  #nextRequestId(): string {
    this.#lastRequest += 1;
    return `${this.#options.connectionId}.${this.#lastRequest}`;
  }

  #live(): void {
    this.#isAlive = true;
  }
}
