import type { CancelSignal } from '../../time/cancellation.ts';
import { encodeRequest } from '../json-rpc.ts';
import { ABORTED, type UpstreamCall, type UpstreamOutcome } from '../upstream.ts';
import type { QueuedMessage } from './send-queue.ts';

/** The calls on a connection. */
export interface CallList {
  /** Whether the calls of all accounts use the connection. */
  readonly isShared: boolean;
  /** Records that a call is sent; returns its id. */
  sent(call: PendingCall): number;
  /** Forgets a call that has ended. */
  remove(call: PendingCall): void;
  /**
   * Records that a call ends before its response arrives. Resolves once the node is expected to be done with
   * it.
   */
  leave(call: PendingCall): Promise<void>;
}

/** A call from the time it is queued until it has an outcome. */
export class PendingCall implements QueuedMessage {
  readonly account: string | undefined;
  readonly size_bytes: number;
  /** Whether it waits behind responses to other accounts instead of moving to another connection. */
  readonly stays: boolean;
  /** Undefined until the call is sent. */
  id: string | undefined;
  readonly #calls: CallList;
  readonly #call: UpstreamCall;
  readonly #signal: CancelSignal;
  readonly #resolve: (outcome: UpstreamOutcome) => void;

  constructor(
    calls: CallList,
    call: UpstreamCall,
    signal: CancelSignal,
    resolve: (outcome: UpstreamOutcome) => void,
  ) {
    this.account = call.account;
    this.size_bytes = call.params.length;
    this.stays = call.stays === true;
    this.#calls = calls;
    this.#call = call;
    this.#signal = signal;
    this.#resolve = resolve;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  encode(): Buffer {
    const id = this.#calls.sent(this);
    if (this.#calls.isShared) this.#call.onSent?.();
    return encodeRequest(id, this.#call);
  }

  end(outcome: UpstreamOutcome): void {
    this.#calls.remove(this);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(outcome);
  }

  readonly #onAbort = (): void => {
    // If the request has been sent, its response will be ignored.
    const ended = this.id === undefined ? undefined : this.#calls.leave(this);
    if (ended !== undefined) this.#call.onUncanceled?.(ended);
    this.end(ABORTED);
  };
}
