import { Cancellation, type CancelSignal } from '../time/cancellation.ts';
import { ABORTED, failure } from './upstream.ts';
import type {
  BatchedCall,
  Failure,
  StreamingOutcome,
  StreamingUpstream,
  TimedUpstream,
  UpstreamCall,
} from './upstream.ts';

export interface AttemptLimits {
  /** Time for the node, without the time that its response waits for the turns of its readers. */
  readonly attempt_ms: number;
  readonly monotonic_ms: () => number;
}

const UNLIMITED: AttemptLimits = {
  attempt_ms: Infinity,
  monotonic_ms: () => performance.now(),
};

const UNREAD = failure('unread', 'the response was not read before the deadline of the call');

/**
 * Ends each call that exceeds its limit, or that of the attempt, with a failure of cause `timeout` and cancels
 * it upstream. Only the first bytes of a stream have to arrive within the limits; afterwards its own limits
 * apply. A call whose response waits for a turn at its limit ends with the cause `unread`.
 */
export function withTimeLimit(
  upstream: StreamingUpstream,
  limits: AttemptLimits = UNLIMITED,
): TimedUpstream {
  return (call, signal, limit_ms) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(ABORTED);
      const attempt = new TimedAttempt(limits, limit_ms, signal, resolve);
      return void upstream(attempt.watch(call), attempt.cancellation).then(attempt.end);
    });
}

/** Applies the same time limit to every call. */
export function withTimeout(upstream: StreamingUpstream, limit_ms: number): StreamingUpstream {
  const timed = withTimeLimit(upstream);
  return (call, signal) => timed(call, signal, limit_ms);
}

/** An attempt at a call or a batch. */
class TimedAttempt {
  readonly cancellation = new Cancellation();
  readonly #limits: AttemptLimits;
  readonly #limit_ms: number;
  readonly #signal: CancelSignal;
  readonly #resolve: (outcome: StreamingOutcome) => void;
  readonly #endsAt_ms: number;
  /** What the node has left of `attempt_ms`, as of `#resumedAt_ms`. */
  #left_ms: number;
  #resumedAt_ms: number;
  /** By turn for which a response waits: its call, if it is one of a batch. */
  readonly #waiting = new Map<Promise<void>, BatchedCall | undefined>();
  /** The calls that were sent in one request. */
  readonly #sentTogether: BatchedCall[] = [];
  readonly #uncanceled: Promise<void>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(
    limits: AttemptLimits,
    limit_ms: number,
    signal: CancelSignal,
    resolve: (outcome: StreamingOutcome) => void,
  ) {
    this.#limits = limits;
    this.#limit_ms = limit_ms;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#resumedAt_ms = limits.monotonic_ms();
    this.#endsAt_ms = this.#resumedAt_ms + limit_ms;
    this.#left_ms = limits.attempt_ms;
    this.#startTimer(this.#resumedAt_ms);
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Returns the call, or the batch of calls, so that its callbacks are called here, too. */
  watch(call: UpstreamCall, batched?: BatchedCall): UpstreamCall {
    for (const each of call.calls ?? []) each.call = this.watch(each.call, each);
    return {
      ...call,
      onWaiting: (turn) => this.#wait(turn, batched),
      onSentTogether: () => {
        if (batched !== undefined) this.#sentTogether.push(batched);
      },
      onUncanceled: (ended) => {
        this.#uncanceled.push(ended);
        call.onUncanceled?.(ended);
      },
    };
  }

  readonly end = (outcome: StreamingOutcome): void => {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    const stopListening = (): void => this.#signal.removeEventListener('abort', this.#onAbort);
    if (outcome.kind === 'stream') void outcome.stream.ended.then(stopListening);
    else stopListening();
    this.#resolve(outcome);
  };

  readonly #onAbort = (): void => this.#cancel(ABORTED);

  #cancel(failed: Failure): void {
    this.cancellation.abort();
    this.end(this.#uncanceled.length === 0 ? failed : { ...failed, uncanceled: this.#uncanceled });
  }

  /** The node has responded, so its time stops until the response is read. */
  #wait(turn: Promise<void>, batched: BatchedCall | undefined): void {
    if (this.#isEnded) return;
    if (this.#waiting.size === 0) {
      const now_ms = this.#limits.monotonic_ms();
      this.#left_ms -= now_ms - this.#resumedAt_ms;
      this.#waiting.set(turn, batched);
      this.#startTimer(now_ms);
    } else this.#waiting.set(turn, batched);
    void turn.then(() => this.#resume(turn));
  }

  #resume(turn: Promise<void>): void {
    this.#waiting.delete(turn);
    if (this.#isEnded || this.#waiting.size > 0) return;
    this.#resumedAt_ms = this.#limits.monotonic_ms();
    this.#startTimer(this.#resumedAt_ms);
  }

  #startTimer(now_ms: number): void {
    clearTimeout(this.#timer);
    const left_ms = this.#waiting.size === 0 ? this.#left_ms : Infinity;
    const callLeft_ms = Math.ceil(this.#endsAt_ms - now_ms);
    const isCutShort = callLeft_ms < left_ms;
    const delay_ms = Math.max(0, Math.ceil(Math.min(left_ms, callLeft_ms)));
    this.#timer = setTimeout(() => this.#expire(isCutShort), delay_ms);
  }

  #expire(isCutShort: boolean): void {
    const limit_ms = isCutShort ? this.#limit_ms : this.#limits.attempt_ms;
    const timeout = failure('timeout', `no response within ${limit_ms} ms`);
    let failed: Failure = isCutShort ? { ...timeout, isCutShort } : timeout;
    for (const batched of this.#waiting.values()) {
      if (batched === undefined) failed = UNREAD;
      else batched.outcome ??= UNREAD;
    }
    for (const batched of this.#sentTogether)
      batched.outcome ??= { ...failed, isBatchTimeout: true };
    this.#cancel(failed);
  }
}
