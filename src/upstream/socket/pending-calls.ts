import type { WebSocket } from 'ws';
import { encodeRequest, readResponse, WRONG_ID } from '../json-rpc.ts';
import {
  ABORTED,
  failure,
  type Failure,
  type UpstreamCall,
  type UpstreamOutcome,
} from '../upstream.ts';

export interface PendingCallsOptions {
  readonly response_depth: number;
  /** Calls are refused while more bytes than this are unsent. */
  readonly send_bytes: number;
  /** The node sent something that does not answer any request. */
  readonly onInvalid: (failed: Failure) => void;
}

const NOT_CONNECTED = failure('connection', 'not connected');
const TOO_LARGE = failure('too_large', 'response exceeds the size limit');
const TOO_MANY_UNSENT = failure('overloaded', 'too many unsent bytes');

/** The calls on one WebSocket, matched to their responses by id. */
export class PendingCalls {
  readonly #socket: WebSocket;
  readonly #options: PendingCallsOptions;
  readonly #pending = new Map<string, (outcome: UpstreamOutcome) => void>();
  #lastId = 0;
  /** An oversized response may belong to any call up to this id. */
  #lastSuspect = 0;

  constructor(socket: WebSocket, options: PendingCallsOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  async call(call: UpstreamCall, signal: AbortSignal): Promise<UpstreamOutcome> {
    if (signal.aborted) return ABORTED;
    if (this.#socket.readyState !== this.#socket.OPEN) return NOT_CONNECTED;
    if (this.#socket.bufferedAmount > this.#options.send_bytes) return TOO_MANY_UNSENT;
    return new Promise((resolve) => {
      this.#lastId += 1;
      const id = String(this.#lastId);
      const end = (outcome: UpstreamOutcome): void => {
        this.#pending.delete(id);
        signal.removeEventListener('abort', onAbort);
        resolve(outcome);
      };
      // The request has been sent; its response will be ignored.
      const onAbort = (): void => end(ABORTED);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, end);
      this.#socket.send(encodeRequest(this.#lastId, call), { binary: false });
    });
  }

  receive(message: Buffer): void {
    const response = readResponse(message, this.#options.response_depth);
    if (response.kind === 'failure') return this.#options.onInvalid(response);
    const { id, outcome, isRequest } = response;
    return isRequest && !this.#pending.has(id ?? '') ? undefined : this.#end(id, outcome);
  }

  /** An oversized response has begun: it answers one of the calls sent so far. */
  suspect(): void {
    this.#lastSuspect = this.#lastId;
  }

  /** The oversized response answers this call. */
  refuse(id: string): void {
    this.#end(id, TOO_LARGE);
  }

  /** The call that the oversized response answers will stay unknown. */
  refuseSuspects(): void {
    for (const [id, end] of this.#pending) if (Number(id) <= this.#lastSuspect) end(TOO_LARGE);
  }

  /** The connection was lost. */
  failAll(failed: Failure): void {
    for (const end of this.#pending.values()) end(failed);
  }

  #end(id: string | undefined, outcome: UpstreamOutcome): void {
    const end = id === undefined ? undefined : this.#pending.get(id);
    if (end !== undefined) end(outcome);
    else if (!this.#wasSent(id)) this.#options.onInvalid(WRONG_ID);
  }

  /** Whether a request had this id; its caller may have left. */
  #wasSent(id: string | undefined): boolean {
    return id !== undefined && /^[1-9]\d{0,15}$/.test(id) && Number(id) <= this.#lastId;
  }
}
