import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalog.ts';
import { err, PASSED, type Result } from '../errors/result.ts';
import type { Session } from '../gateway/authenticator.ts';
import { SERVER_CLOSED, type Answer } from '../rpc/call.ts';
import { countCalls, overheadOf, type Message } from '../rpc/message.ts';
import { Cancellation } from '../time/cancellation.ts';
import type { TraceOrigin } from '../tracing/trace.ts';
import type { Reservation } from './byte-budget.ts';
import type { NetworkService, ServiceHolder } from './network-service.ts';
import { watchPartialMessages } from './partial-message.ts';
import { SocketOutbox } from './socket-outbox.ts';
import { StallWatch, type CutCause, type Holder } from './unsent-answers.ts';

/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

/** Maximum number of pongs between two heartbeats; a browser sends one for each ping. */
const MAX_PONGS = 1_000;

/** Maximum number of answers to pings that the network has not taken yet. */
const MAX_UNSENT_PONGS = 60;

/** Memory of a waiting message in addition to its bytes. Measured with Node 24: 290 bytes. */
export const WAITING_BYTES = 512;

export interface SessionOptions {
  readonly holder: ServiceHolder;
  readonly session: Session;
  /** The stream that the WebSocket was opened on. */
  readonly connection: Duplex;
  /** Identifies the connection; prefix of its request ids. */
  readonly connectionId: string;
  /** The trace of the upgrade; calls over an open socket have their own traces. */
  readonly traceOrigin: TraceOrigin | undefined;
}

/** One WebSocket: receives messages and sends answers in the order they are ready. */
export class SocketSession implements Holder {
  readonly #socket: WebSocket;
  readonly #options: SessionOptions;
  readonly #outbox: SocketOutbox;
  readonly #watch: StallWatch;
  #cause: CutCause | undefined;
  readonly #cancellation = new Cancellation();
  #callsInFlight = 0;
  /** Pongs since the last heartbeat. */
  #pongs = 0;
  /** Answers to pings that are not sent yet. */
  #unsentPongs = 0;
  /** Messages and pings that wait for a turn. */
  #waitingMessages = 0;
  /** The memory that waiting messages and pings take, even after the connection has closed. */
  readonly #waitingBytes: Reservation;
  /** Bytes of answers that wait to be sent. */
  #waiting_bytes = 0;
  #lastRequest = 0;
  /** Whether the other end sent or read anything since the last heartbeat. */
  #isAlive = true;
  #isDraining = false;
  /** Whether the socket is being closed because its key is no longer valid. */
  #isExpelled = false;

  constructor(socket: WebSocket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#watch = new StallWatch({
      idle_ms: options.holder.service.limits.stream_idle_ms,
      isBlocked: () => socket.bufferedAmount > 0,
      onStall: () => this.cut('stalled'),
    });
    this.#outbox = new SocketOutbox(socket, {
      stream: options.connection,
      holder: this,
      onChange: (waiting_bytes) => {
        this.#waiting_bytes = waiting_bytes;
        this.#keepPace();
        if (waiting_bytes > 0) this.#watch.start();
        else this.#watch.stop();
      },
      onProgress: () => {
        this.#isAlive = true;
        this.#watch.progress();
      },
    });
    this.#limitPartialMessages();
    this.#waitingBytes = this.#service.heldBytes.open(options.session.caller.accountId);
    // Binary messages are read like text ones: web3.py and other clients send requests as bytes.
    socket.on('message', (data: Buffer) => this.#enqueue(data, () => this.#receive(data)));
    socket.on('ping', (data) => this.#enqueue(data, () => this.#answerPing(data)));
    socket.on('pong', () => this.#receivePong());
    // ws closes the connection on protocol errors, with the matching close code.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  #limitPartialMessages(): void {
    const { connection, session } = this.#options;
    const { accounts, heldBytes, limits } = this.#service;
    watchPartialMessages(this.#socket, {
      connection,
      held: heldBytes.open(session.caller.accountId),
      timeout_ms: limits.http_request_ms,
      onTooSlow: () => this.cut('stalled'),
      onTooLarge: () => this.cut('caller_limit'),
      takeCall: () => accounts.take(session.caller).ok,
    });
  }

  /** Closes the connection at once, with all calls in progress. */
  cut(cause: CutCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#service.observer.onCut(cause);
    this.#socket.terminate();
    this.#end();
  }

  /**
   * Pongs are allowed without pings (RFC 6455, section 5.5.3), but many only take time from other callers.
   */
  #receivePong(): void {
    this.#isAlive = true;
    this.#pongs += 1;
    if (this.#pongs > MAX_PONGS) this.#socket.terminate();
  }

  #answerPing(data: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#unsentPongs += 1;
    if (this.#unsentPongs > MAX_UNSENT_PONGS) return this.#socket.terminate();
    return this.#socket.pong(data, false, () => {
      this.#unsentPongs -= 1;
    });
  }

  /** Cuts the connection if the other end has been silent since the last heartbeat. */
  beat(): void {
    this.#pongs = 0;
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    return this.#socket.ping();
  }

  /** Closes the socket if its key is no longer valid. */
  recheck(): void {
    if (this.#isExpelled) return;
    const caller = this.#recheckCaller();
    if (!caller.ok) this.#expel(undefined, caller.error);
  }

  /** Accepts no more calls, and closes once the accepted ones are answered. */
  drain(): void {
    this.#isDraining = true;
    this.#closeIfDrained();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  get #service(): NetworkService {
    return this.#options.holder.service;
  }

  /** Handles a message or a ping in turn. Reads no more of them while some wait. */
  #enqueue({ length }: Buffer, handle: () => void): void {
    // When a paused connection closes, ws emits all messages that were read before.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#isAlive = true;
    this.#waitingMessages += 1;
    let held_bytes = 0;
    let isHandled = false;
    this.#service.turns.run(this.#options.session.caller.accountId, () => {
      isHandled = true;
      this.#waitingMessages -= 1;
      this.#waitingBytes.add(-held_bytes);
      handle();
      this.#keepPace();
      this.#closeIfDrained();
    });
    if (!isHandled && this.#waitingBytes.add(length + WAITING_BYTES)) {
      held_bytes = length + WAITING_BYTES;
    } else if (!isHandled) this.cut('caller_limit');
    this.#keepPace();
  }

  #receive(data: Buffer): void {
    if (this.#isExpelled || this.#socket.readyState !== this.#socket.OPEN) return;
    const caller = this.#recheckCaller();
    const message = this.#service.rpc.read(data);
    if (!caller.ok) return this.#expel(message, caller.error);
    const allowed = this.#checkLimit(countCalls(message));
    if (!allowed.ok) return this.#sendError(message, allowed.error, caller.value);
    const held = this.#service.heldBytes.open(caller.value.accountId);
    if (held.add(data.length + overheadOf(message)))
      return void this.#answer(message, caller.value, held);
    const { errors } = this.#service;
    const error = errors.fail('too_many_calls_in_flight', { data: { scope: 'account' } });
    return this.#sendError(message, error, caller.value);
  }

  #checkLimit(calls: number): Result<undefined> {
    const { errors, limits } = this.#service;
    if (this.#isDraining) return err(errors.fail('shutting_down'));
    const limitCalls = limits.socket_calls_in_flight;
    if (this.#callsInFlight + calls <= limitCalls) return PASSED;
    const data = { scope: 'connection', limitCalls };
    return err(errors.fail('too_many_calls_in_flight', { data }));
  }

  async #answer(message: Message, caller: Caller, held: Reservation): Promise<void> {
    const calls = countCalls(message);
    this.#callsInFlight += calls;
    const { service, release } = this.#options.holder.acquire();
    const answer = await service.rpc.answer(message, caller, {
      requestId: this.#nextRequestId(),
      signal: this.#cancellation,
      reserve: (bytes) => held.reserve(bytes),
      turn: () => service.turns.wait(caller.accountId),
      origin: this.#options.traceOrigin,
    });
    release();
    held.release();
    this.#callsInFlight -= calls;
    this.#send(answer, caller);
    this.#closeIfDrained();
  }

  #send({ body, settle }: Answer, caller?: Caller): void {
    if (body.length === 0) return settle?.('complete');
    if (this.#socket.readyState !== this.#socket.OPEN) return settle?.(this.#lostDelivery());
    return this.#outbox.push(this.#service, body, { account: caller?.accountId, settle });
  }

  /** Stops reading while messages wait for their turn or too many bytes of answers are unsent. */
  #keepPace(): void {
    const isBehind = this.#waiting_bytes > this.#service.limits.socket_pause_bytes;
    const isPaused = isBehind || this.#waitingMessages > 0;
    if (isPaused === this.#socket.isPaused) return;
    if (isPaused) this.#socket.pause();
    else this.#socket.resume();
  }

  #end(): void {
    this.#watch.stop();
    const delivery = this.#lostDelivery();
    this.#cancellation.abort(delivery === 'cut' ? SERVER_CLOSED : undefined);
    this.#outbox.end(delivery);
  }

  /** Returns the outcome of the delivery for answers that do not reach the other end. */
  #lostDelivery(): 'caller_left' | 'cut' {
    if (this.#cause !== undefined) return this.#cause === 'total_limit' ? 'cut' : 'caller_left';
    if (this.#isExpelled) return 'caller_left';
    const isOurs = this.#isDraining || this.#service.isDraining();
    return isOurs ? 'cut' : 'caller_left';
  }

  /** Sends an error. A message that contains only notifications is never answered. */
  #sendError(message: Message | undefined, error: RpcError, caller?: Caller): void {
    const isSilent =
      message !== undefined &&
      message.kind !== 'unreadable' &&
      message.requests.every(({ id }) => id === null);
    if (isSilent) return;
    const { observer, rpc } = this.#service;
    const requestId = this.#nextRequestId();
    observer.onRefusal(error, requestId, caller);
    this.#send(rpc.refuse(message, error, requestId), caller ?? this.#options.session.caller);
  }

  #expel(message: Message | undefined, error: RpcError): void {
    this.#sendError(message, error);
    this.#isExpelled = true;
    // The account or its key caused this, so it counts as a disconnect: calls that a node answers are
    // charged.
    this.#cancellation.abort();
    this.#outbox.close(POLICY_VIOLATION, error.reason);
  }

  #recheckCaller(): Result<Caller> {
    return this.#service.authenticator.recheck(this.#options.session);
  }

  #closeIfDrained(): void {
    if (this.#isDraining && this.#callsInFlight === 0 && this.#waitingMessages === 0) {
      this.#outbox.close(GOING_AWAY, 'shutting_down');
    }
  }

  #nextRequestId(): string {
    this.#lastRequest += 1;
    return `${this.#options.connectionId}.${this.#lastRequest}`;
  }
}
