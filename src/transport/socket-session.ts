import type { WebSocket } from 'ws';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalogue.ts';
import type { TraceOrigin } from '../tracing/trace.ts';
import { SERVICE_ENDS } from '../rpc/front.ts';
import { countCalls, type Message } from '../rpc/message.ts';
import { PATIENT_BYTES } from './send.ts';
import { isRpcError, type Admitted } from './site.ts';
import type { SocketHost } from './socket-host.ts';

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
export class SocketSession {
  readonly #socket: WebSocket;
  readonly #options: SessionOptions;
  readonly #leaving = new AbortController();
  #callsInFlight = 0;
  #lastRequest = 0;
  /** Whether anything was heard from the other end, or taken by it, since the last heartbeat. */
  #isAlive = true;
  #isDraining = false;

  constructor(socket: WebSocket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('pong', () => this.#live());
    // What breaks the protocol is closed by ws itself, with the code that says so.
    socket.on('error', () => undefined);
    // As over HTTP: while the service ends, the caller did not leave on its own account.
    socket.on('close', () => this.#leaving.abort(this.#isDraining ? SERVICE_ENDS : undefined));
  }

  /** Cuts the connection when nothing came from the other end since the last heartbeat. */
  beat(): void {
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    return this.#socket.ping();
  }

  /** Closes when the key no longer lets in. */
  recheck(): void {
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
    if (this.#socket.readyState !== this.#socket.OPEN) return;
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
    this.#send(answer.body);
    this.#closeIfDrained();
  }

  #send(body: readonly Buffer[]): void {
    const socket = this.#socket;
    if (body.length === 0 || socket.readyState !== socket.OPEN) return;
    const { limits, unsent } = this.#options.host.site;
    const bytes = body.length === 1 ? body[0]! : Buffer.concat(body);
    const release =
      bytes.length > PATIENT_BYTES
        ? unsent.hold(bytes.length, () => socket.terminate())
        : undefined;
    socket.send(bytes, { binary: false }, () => {
      release?.();
      this.#live();
      if (socket.bufferedAmount <= limits.socket_pause_bytes) socket.resume();
    });
    if (socket.bufferedAmount > limits.socket_outgoing_bytes) socket.terminate();
    else if (socket.bufferedAmount > limits.socket_pause_bytes) socket.pause();
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
    this.#send(site.rpc.refuse(message, error, requestId).body);
  }

  #expel(message: Message | undefined, error: RpcError): void {
    this.#sendError(message, error);
    // No answer can be sent from now on, and that is not the caller's doing.
    this.#leaving.abort(SERVICE_ENDS);
    this.#socket.close(POLICY_VIOLATION, error.reason);
  }

  #caller(): Caller | RpcError {
    const { host, admitted } = this.#options;
    return host.site.door.recheck(admitted);
  }

  #closeIfDrained(): void {
    if (this.#isDraining && this.#callsInFlight === 0) {
      this.#socket.close(GOING_AWAY, 'shutting_down');
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
