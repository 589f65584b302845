import type { WebSocket } from 'ws';
import { encodeRequest, readResponse } from '../envelope.ts';
import type { UpstreamCall, UpstreamOutcome } from '../upstream.ts';
import { failure, type FailureCause } from '../failure.ts';

export interface SocketCallsOptions {
  readonly response_depth: number;
  /** Unsent bytes beyond which no more calls are taken. */
  readonly send_bytes: number;
  /** The other end said something that is no answer to any request. */
  readonly onConfusion: (detail: string) => void;
}

const OVERSIZED = failure('too_large', 'the answer is too large');

/** Many calls over one WebSocket, told apart by ids of ours. */
export class SocketCalls {
  readonly #socket: WebSocket;
  readonly #options: SocketCallsOptions;
  readonly #pending = new Map<string, (outcome: UpstreamOutcome) => void>();
  #lastId = 0;
  /** Up to this id, a call may be the one whose answer is too large. */
  #lastSuspect = 0;

  constructor(socket: WebSocket, options: SocketCallsOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  ask(call: UpstreamCall, signal: AbortSignal): Promise<UpstreamOutcome> {
    if (signal.aborted) return Promise.resolve(failure('aborted', 'the caller gave up'));
    if (!this.isOpen) return Promise.resolve(failure('connection', 'not connected'));
    if (this.#socket.bufferedAmount > this.#options.send_bytes) {
      return Promise.resolve(failure('overloaded', 'too many unsent bytes'));
    }
    return new Promise((resolve) => {
      this.#lastId += 1;
      const id = String(this.#lastId);
      const end = (outcome: UpstreamOutcome): void => {
        this.#pending.delete(id);
        signal.removeEventListener('abort', onAbort);
        resolve(outcome);
      };
      // A request that was sent cannot be taken back; its answer will be ignored.
      const onAbort = (): void => end(failure('aborted', 'the caller gave up'));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, end);
      this.#socket.send(encodeRequest(this.#lastId, call), { binary: false });
    });
  }

  /** Takes a message from the other end. */
  receive(message: Buffer): void {
    const response = readResponse(message, this.#options.response_depth);
    if (typeof response === 'string') return this.#options.onConfusion(response);
    const { id, outcome, isRequest } = response;
    const end = id === undefined ? undefined : this.#pending.get(id);
    if (end !== undefined) return end(outcome);
    if (isRequest || this.#wasAsked(id)) return undefined;
    return this.#options.onConfusion('the answer has another id than any request');
  }

  /** An answer begins that is too large: it is to one of the calls that have been sent. */
  suspect(): void {
    this.#lastSuspect = this.#lastId;
  }

  /** The answer that is too large is to this call. */
  refuse(id: string): void {
    const end = this.#pending.get(id);
    if (end !== undefined) return end(OVERSIZED);
    if (this.#wasAsked(id)) return undefined;
    return this.#options.onConfusion('the answer has another id than any request');
  }

  /** Which call the answer is to that is too large will not be known. */
  refuseSuspects(): void {
    for (const [id, end] of this.#pending) if (Number(id) <= this.#lastSuspect) end(OVERSIZED);
  }

  /** No answers will come any more. */
  lose(cause: FailureCause, detail: string): void {
    const lost = failure(cause, detail);
    for (const end of this.#pending.values()) end(lost);
  }

  /** Whether an id was of a request whose caller has gone. */
  #wasAsked(id: string | undefined): boolean {
    return id !== undefined && /^[1-9]\d{0,15}$/.test(id) && Number(id) <= this.#lastId;
  }
}
