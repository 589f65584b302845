import { scanObjects } from '../../json/ranges.ts';
import { JsonSyntaxError } from '../../json/scanner.ts';
import type { CancelSignal } from '../../time/cancellation.ts';
import {
  ANSWERS_EARLIER,
  firstIdOf,
  memberNames,
  responseOf,
  syntaxFailure,
  UNANSWERED,
  wrongId,
} from '../json-rpc.ts';
import { SMALL_BYTES } from './response-reader.ts';
import {
  ABORTED,
  type BatchedCall,
  type Failure,
  type StreamingOutcome,
  type StreamingUpstream,
  type UpstreamCall,
} from '../upstream.ts';

/** Whether calls are sent as batches. `auto`: yes, except for 60 seconds after the node rejects a batch. */
export type BatchMode = 'auto' | 'on' | 'off';

/**
 * Maximum responses per call in a body, repeated and unknown ones included: each takes time,
 * however small it is.
 */
const RESPONSES_PER_CALL = 2;

/** How long a node gets no batches after it has refused one. */
const REFUSED_MS = 60_000;

/**
 * How long calls of methods are sent alone whose batch had a large or slow response: at first, and at most. The
 * time doubles each time that the next batch has one, too.
 */
const ALONE_MS = 60_000;
const MAX_ALONE_MS = 16 * ALONE_MS;

/** Maximum number of methods whose calls are sent alone. */
const MAX_METHODS = 1_000;

/** Fraction of `attempt_ms` that the response to a batch should take: one slow call delays the others. */
const SLOW = 1 / 3;

interface Alone {
  readonly until_ms: number;
  readonly for_ms: number;
}

export interface BatchRequest {
  readonly signal: CancelSignal;
  /** Called when the batch is canceled while the node works on it; see {@link UpstreamCall.onUncanceled}. */
  readonly onUncanceled: (ended: Promise<void>) => void;
}

/** What a node responded to a batch. */
export interface BatchResponse {
  readonly outcome: StreamingOutcome;
  /** Closes the connection, whose next response would be given to the wrong call. */
  readonly closeConnection: () => void;
}

export interface BatchOptions {
  readonly mode: BatchMode;
  readonly attempt_ms: number;
  readonly response_depth: number;
  readonly monotonic_ms: () => number;
  /** Resolves when a large response of this account may be read; undefined if that is now. */
  readonly turn: (account: string) => Promise<void> | undefined;
  /** Sends one call. */
  readonly single: StreamingUpstream;
  /** Sends several calls in one request, with ids from `firstId` on; the result is the whole body. */
  readonly send: (
    calls: readonly BatchedCall[],
    firstId: number,
    request: BatchRequest,
  ) => Promise<BatchResponse>;
  /** Takes `count` consecutive ids and returns the first. */
  readonly takeIds: (count: number) => number;
}

/**
 * Sends calls as one batch. Each call has its own outcome, and is sent again alone if its response is
 * missing or malformed. All calls are sent again alone if the node refuses the batch or its response is too
 * large.
 */
export class Batches {
  readonly #options: BatchOptions;
  /** The methods whose last batch had a large or slow response. */
  readonly #alone = new Map<string, Alone>();
  #refusedUntil_ms = Number.NEGATIVE_INFINITY;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  /** Sets the outcomes of the calls; the returned failure applies to calls without one. */
  async send(calls: readonly BatchedCall[], signal: CancelSignal): Promise<Failure> {
    if (signal.aborted) return ABORTED;
    const together = calls.filter(({ call }) => this.#isBatched(call));
    if (together.length < 2) return this.#sendAlone(calls, signal);
    const alone = calls.filter((each) => !together.includes(each));
    await Promise.all([this.#sendTogether(together, signal), this.#sendAlone(alone, signal)]);
    return UNANSWERED;
  }

  #isBatched({ method }: UpstreamCall): boolean {
    const { mode, monotonic_ms } = this.#options;
    if (mode === 'off') return false;
    if (mode === 'auto' && monotonic_ms() < this.#refusedUntil_ms) return false;
    return monotonic_ms() >= (this.#alone.get(method)?.until_ms ?? Number.NEGATIVE_INFINITY);
  }

  async #sendTogether(calls: readonly BatchedCall[], signal: CancelSignal): Promise<void> {
    const { send, monotonic_ms, attempt_ms, takeIds } = this.#options;
    for (const { call } of calls) call.onSentTogether?.();
    const firstId = takeIds(calls.length);
    const sent_ms = monotonic_ms();
    const onUncanceled = (ended: Promise<void>): void => {
      for (const { call } of calls) call.onUncanceled?.(ended);
    };
    const { outcome, closeConnection } = await send(calls, firstId, { signal, onUncanceled });
    const isTooLarge = outcome.kind === 'failure' && outcome.cause === 'too_large';
    if (isTooLarge || monotonic_ms() - sent_ms >= attempt_ms * SLOW) this.#avoid(calls);
    else if (outcome.kind === 'result') {
      for (const { call } of calls) this.#alone.delete(call.method);
    }
    if (outcome.kind === 'result') await this.#waitToRead(outcome.result, calls);
    if (signal.aborted) return;
    if (outcome.kind === 'failure' && !isDueToBatch(outcome)) {
      for (const each of calls) each.outcome = outcome;
      return;
    }
    const isAnswered =
      outcome.kind === 'result' && this.#distribute(outcome.result, calls, firstId);
    if (outcome.kind === 'result' && !isAnswered && this.#isEarlier(outcome.result, firstId)) {
      closeConnection();
      for (const each of calls) each.outcome = ANSWERS_EARLIER;
      return;
    }
    if (!isAnswered && !isTooLarge) this.#refusedUntil_ms = monotonic_ms() + REFUSED_MS;
    // A node does not process the calls of a batch that it refuses.
    const isProcessed = isAnswered || isTooLarge;
    const repeated = calls.filter((each) => {
      if (each.outcome !== undefined) return false;
      if (isProcessed) each.outcome = each.countRepeat?.();
      return each.outcome === undefined;
    });
    if (repeated.length > 0) await this.#sendAlone(repeated, signal);
  }

  /** Reading a response may take some dozens of milliseconds, and many may have arrived at once. */
  async #waitToRead({ length }: Buffer, calls: readonly BatchedCall[]): Promise<void> {
    if (length <= SMALL_BYTES) return;
    const turn = this.#options.turn(calls[0]?.call.account ?? '');
    if (turn === undefined) return;
    for (const { call } of calls) call.onWaiting?.(turn);
    await turn;
  }

  async #sendAlone(calls: readonly BatchedCall[], signal: CancelSignal): Promise<Failure> {
    await Promise.all(
      calls.map(async (each) => {
        const outcome = await this.#options.single(each.call, signal);
        if (!signal.aborted) each.outcome = outcome;
      }),
    );
    return UNANSWERED;
  }

  /** Sets the outcomes of the calls that a body answers; returns whether it answers any. */
  #distribute(body: Buffer, calls: readonly BatchedCall[], firstId: number): boolean {
    let isAnswered = false;
    let responses = 0;
    try {
      scanObjects(body, this.#options.response_depth, memberNames, (members) => {
        responses += 1;
        if (responses > RESPONSES_PER_CALL * calls.length) {
          throw new JsonSyntaxError('too many responses', 0);
        }
        if (members === undefined) return;
        const { id, isRequest, outcome } = responseOf(body, members);
        if (isRequest || outcome.kind === 'failure') return;
        const answered = calls[Number(id) - firstId];
        if (answered === undefined || answered.outcome !== undefined) return;
        answered.outcome = outcome;
        isAnswered = true;
      });
    } catch (error) {
      // Rethrows errors that are not about the syntax.
      syntaxFailure(error);
      for (const each of calls) each.outcome = undefined;
      return false;
    }
    return isAnswered;
  }

  /** Whether a body is the response to an earlier call or batch on the connection. */
  #isEarlier(body: Buffer, firstId: number): boolean {
    const id = firstIdOf(body, this.#options.response_depth);
    return wrongId(firstId, id) === ANSWERS_EARLIER;
  }

  /** Sends calls of these methods alone for a while. */
  #avoid(calls: readonly BatchedCall[]): void {
    const now_ms = this.#options.monotonic_ms();
    for (const method of new Set(calls.map(({ call }) => call.method))) {
      const before = this.#alone.get(method);
      if (before === undefined && this.#alone.size >= MAX_METHODS) this.#alone.clear();
      const for_ms = Math.min(MAX_ALONE_MS, before === undefined ? ALONE_MS : 2 * before.for_ms);
      this.#alone.set(method, { until_ms: now_ms + for_ms, for_ms });
    }
  }
}

/**
 * Whether a failure may be due to the batch, so that its calls may succeed alone; otherwise, it applies to
 * each call.
 */
function isDueToBatch({ cause }: Failure): boolean {
  return cause === 'too_large' || cause === 'malformed';
}
