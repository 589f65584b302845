import { scanObjects } from '../../json/ranges.ts';
import { Cancellation, type CancelSignal } from '../../time/cancellation.ts';
import type { StartTimer } from '../../time/timer.ts';
import { memberNames, responseOf, syntaxFailure, type Response } from '../json-rpc.ts';
import {
  ABORTED,
  type Failure,
  type StreamingOutcome,
  type StreamingUpstream,
  type UpstreamCall,
} from '../upstream.ts';

/** `auto`: until the node refuses one. */
export type BatchMode = 'auto' | 'on' | 'off';

/** Requests in one batch; nodes allow from 20 to some thousands. */
const MAX_CALLS = 32;

/** How long what did not work in a batch is sent alone. */
const ALONE_MS = 60_000;

/** Methods that are remembered to be sent alone. */
const MAX_METHODS = 1_000;

/** How long the whole response may take, as a part of an attempt: one slow call delays the others. */
const PATIENCE = 1 / 3;

export interface BatchOptions {
  readonly mode: BatchMode;
  readonly attempt_ms: number;
  readonly response_depth: number;
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  /** Sends one call. */
  readonly single: StreamingUpstream;
  /** Sends several calls in one request; the result is the whole body. */
  readonly send: (
    calls: readonly NumberedCall[],
    signal: CancelSignal,
  ) => Promise<StreamingOutcome>;
  readonly nextId: () => number;
}

export interface NumberedCall {
  readonly id: number;
  readonly call: UpstreamCall;
}

interface Entry extends NumberedCall {
  readonly signal: CancelSignal;
  readonly resolve: (outcome: StreamingOutcome | Promise<StreamingOutcome>) => void;
}

/**
 * Sends the calls of a caller's batch that come in the same turn as one batch. Each call has its own
 * outcome: one whose response is missing or malformed is sent again alone, as are all of a batch that
 * the node refuses, whose response is too large, or that takes too long.
 */
export class Batches {
  readonly #options: BatchOptions;
  /** The calls gathered in this turn, by the batch of their caller. */
  readonly #gathering = new Map<object, Entry[]>();
  /** When methods may be in a batch again. */
  readonly #alone_ms = new Map<string, number>();
  #refusedUntil_ms = Number.NEGATIVE_INFINITY;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  readonly call: StreamingUpstream = (call, signal) => {
    const { batch } = call;
    if (batch === undefined || !this.#isBatched(call)) return this.#options.single(call, signal);
    if (signal.aborted) return Promise.resolve(ABORTED);
    return new Promise((resolve) => {
      const entry = { id: this.#options.nextId(), call, signal, resolve };
      const entries = this.#gathering.get(batch);
      if (entries !== undefined && entries.length < MAX_CALLS) return void entries.push(entry);
      const started = [entry];
      this.#gathering.set(batch, started);
      setImmediate(() => this.#flush(batch, started));
      return undefined;
    });
  };

  #isBatched({ method }: UpstreamCall): boolean {
    const { mode, monotonic_ms } = this.#options;
    if (mode === 'off') return false;
    if (mode === 'auto' && monotonic_ms() < this.#refusedUntil_ms) return false;
    const until_ms = this.#alone_ms.get(method);
    if (until_ms === undefined) return true;
    if (monotonic_ms() < until_ms) return false;
    this.#alone_ms.delete(method);
    return true;
  }

  #flush(batch: object, entries: readonly Entry[]): void {
    if (this.#gathering.get(batch) === entries) this.#gathering.delete(batch);
    const waiting = entries.filter(({ signal }) => !signal.aborted);
    for (const { signal, resolve } of entries) if (signal.aborted) resolve(ABORTED);
    if (waiting.length > 1) void this.#send(waiting);
    else for (const entry of waiting) this.#sendAlone(entry);
  }

  async #send(entries: readonly Entry[]): Promise<void> {
    const { send, startTimer, attempt_ms } = this.#options;
    const cancellation = new Cancellation();
    const waiting = new Map(entries.map((entry) => [String(entry.id), entry]));
    let isLate = false;
    const stop = startTimer(attempt_ms * PATIENCE, () => {
      isLate = true;
      cancellation.abort();
    });
    const watched = entries.map(({ id, signal, resolve }) => {
      const onAbort = (): void => {
        resolve(ABORTED);
        waiting.delete(String(id));
        if (waiting.size === 0) cancellation.abort();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      return () => signal.removeEventListener('abort', onAbort);
    });
    const outcome = await send(entries, cancellation);
    stop();
    for (const stopWatching of watched) stopWatching();
    if (!isLate && outcome.kind === 'failure' && !isDueToBatch(outcome)) {
      for (const { resolve } of waiting.values()) resolve(outcome);
      return;
    }
    const isAnswered = outcome.kind === 'result' && this.#distribute(outcome.result, waiting);
    const isOfMethods = isLate || (outcome.kind === 'failure' && outcome.cause === 'too_large');
    if (isOfMethods) this.#avoid(entries);
    else if (!isAnswered) this.#refusedUntil_ms = this.#options.monotonic_ms() + ALONE_MS;
    // What is left has no usable response.
    for (const entry of waiting.values()) this.#sendAlone(entry);
  }

  #sendAlone({ call, signal, resolve }: Entry): void {
    resolve(this.#options.single(call, signal));
  }

  /** Resolves the calls that a body answers, and removes them from `waiting`; returns whether any. */
  #distribute(body: Buffer, waiting: Map<string, Entry>): boolean {
    const responses: Response[] = [];
    try {
      scanObjects(body, this.#options.response_depth, memberNames, (members) =>
        responses.push(responseOf(body, members)),
      );
    } catch (error) {
      // Throws what is not about the syntax.
      syntaxFailure(error);
      return false;
    }
    const before = waiting.size;
    for (const { id = '', isRequest, outcome } of responses) {
      if (isRequest || outcome.kind === 'failure') continue;
      waiting.get(id)?.resolve(outcome);
      waiting.delete(id);
    }
    return waiting.size < before;
  }

  /** Sends calls of these methods alone for a while. */
  #avoid(entries: readonly Entry[]): void {
    if (this.#alone_ms.size >= MAX_METHODS) this.#alone_ms.clear();
    const until_ms = this.#options.monotonic_ms() + ALONE_MS;
    for (const { call } of entries) this.#alone_ms.set(call.method, until_ms);
  }
}

/** Whether the same calls may succeed alone; otherwise each has the failure of its batch. */
function isDueToBatch({ cause }: Failure): boolean {
  return cause === 'too_large' || cause === 'malformed';
}
