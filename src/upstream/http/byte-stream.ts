import type { CancelSignal } from '../../time/cancellation.ts';
import { ChunkList } from '../../json/chunk-list.ts';
import type { FailureCause, ResultStream, StreamEnd } from '../upstream.ts';

/** Thrown when a result ends early because the upstream, a limit or the caller cut the stream. */
export class StreamBroken extends Error {
  readonly reason: FailureCause;

  constructor(reason: FailureCause, detail: string) {
    super(`the result was cut short: ${detail}`);
    this.name = 'StreamBroken';
    this.reason = reason;
  }
}

/** The connection that a stream is read from. */
export interface StreamSource {
  /** Returns whether it is not read because the reader's account does other work first. */
  readonly isWaiting?: () => boolean;
  pause(): void;
  resume(): void;
  /**
   * Stops the source, whose remaining bytes are not needed. Called at most once, and not after the source
   * has ended. Returns a promise if the node is taken to work on it until that settles.
   */
  cancel(): Promise<void> | undefined;
}

export interface StreamOptions {
  readonly source: StreamSource;
  readonly signal: CancelSignal;
  /** Fires when the caller has left; the rest of the result is discarded. */
  readonly abandoned?: CancelSignal | undefined;
  /** Unread bytes at which the source is paused. */
  readonly buffer_bytes: number;
  /** Maximum time without a byte received or read. */
  readonly idle_ms: number;
  readonly stream_ms: number;
  readonly monotonic_ms: () => number;
}

/**
 * Fraction of the time for which a reader may pause the source. Above it, the reader is the reason that the
 * result is not complete in time, even if it reads fast at the end.
 */
const MAX_PAUSED_PART = 1 / 10;

/** How the end of a connection looks that a node closes because a result was not read in time. */
const cutByNode: ReadonlySet<FailureCause> = new Set(['connection', 'malformed']);

/** A bounded queue of chunks between a source that pushes and one reader that pulls. */
export class ByteStream implements ResultStream {
  readonly ended: Promise<StreamEnd>;
  uncanceled: Promise<void> | undefined;
  readonly #options: StreamOptions;
  readonly #settle: (end: StreamEnd) => void;
  readonly #idle: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#cut('aborted', 'the caller canceled the call');
  readonly #chunks = new ChunkList();
  #unread_bytes = 0;
  #read_bytes = 0;
  readonly #startedAt_ms: number;
  #isPaused = false;
  #pausedAt_ms = 0;
  #paused_ms = 0;
  #isComplete = false;
  #broken: StreamBroken | undefined;
  #isSettled = false;
  #wake: (() => void) | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<StreamEnd>();
    this.ended = promise;
    this.#settle = resolve;
    const { idle_ms, stream_ms, signal, abandoned, monotonic_ms } = options;
    this.#startedAt_ms = monotonic_ms();
    this.#idle = setTimeout(() => this.#timeOut(`no progress for ${idle_ms} ms`), idle_ms);
    this.#deadline = setTimeout(
      () => this.#timeOut(`incomplete after ${stream_ms} ms`, this.#wasDelayed),
      stream_ms,
    );
    signal.addEventListener('abort', this.#onAbort, { once: true });
    abandoned?.addEventListener('abort', this.#onAbort, { once: true });
    if (abandoned?.aborted === true) this.#onAbort();
  }

  push(bytes: Buffer): void {
    if (this.#isSettled) return;
    this.#chunks.push(bytes);
    this.#unread_bytes += bytes.length;
    this.#idle.refresh();
    if (!this.#isPaused && this.#unread_bytes >= this.#options.buffer_bytes) {
      this.#isPaused = true;
      this.#pausedAt_ms = this.#options.monotonic_ms();
      this.#options.source.pause();
    }
    this.#wake?.();
  }

  /** Marks the result as whole, after the source has ended. */
  complete(): void {
    this.#isComplete = true;
    this.#wake?.();
  }

  /**
   * Ends the stream with a failure and discards its unread bytes. A node that cuts a result has timed out if
   * the reader delayed it.
   */
  break(failed: FailureCause, detail: string): void {
    if (this.#isSettled || this.#broken !== undefined) return;
    const cause = cutByNode.has(failed) && this.#wasDelayed ? 'aborted' : failed;
    this.#isComplete = true;
    this.#broken = new StreamBroken(cause, detail);
    this.#chunks.clear();
    this.#end({ kind: 'broken', cause, detail, bytes: this.#read_bytes });
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#cut('aborted', 'the reader stopped reading');
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  async #next(): Promise<IteratorResult<Buffer, undefined>> {
    for (;;) {
      if (this.#broken !== undefined) throw this.#broken;
      const chunk = this.#shift();
      if (chunk !== undefined) return { done: false, value: chunk };
      if (this.#isComplete) {
        this.#end({ kind: 'whole', bytes: this.#read_bytes });
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }

  #shift(): Buffer | undefined {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return undefined;
    this.#unread_bytes -= chunk.length;
    this.#read_bytes += chunk.length;
    this.#idle.refresh();
    if (this.#isPaused && this.#unread_bytes < this.#options.buffer_bytes / 2) {
      this.#isPaused = false;
      this.#paused_ms += this.#options.monotonic_ms() - this.#pausedAt_ms;
      if (!this.#isComplete) this.#options.source.resume();
    }
    return chunk;
  }

  /** Nodes allow at least about `idle_ms` (geth: 30 s), so shorter results count as if they took as long. */
  get #wasDelayed(): boolean {
    const { idle_ms, monotonic_ms } = this.#options;
    const now_ms = monotonic_ms();
    const paused_ms = this.#paused_ms + (this.#isPaused ? now_ms - this.#pausedAt_ms : 0);
    return paused_ms > Math.max(now_ms - this.#startedAt_ms, idle_ms) * MAX_PAUSED_PART;
  }

  /** The upstream is too slow if it has not sent what the reader could have read; otherwise the reader is. */
  #timeOut(detail: string, wasDelayed = false): void {
    const isWaiting = this.#options.source.isWaiting?.() === true;
    const isReaderSlow = this.#unread_bytes > 0 || this.#isComplete || wasDelayed || isWaiting;
    this.#cut(isReaderSlow ? 'aborted' : 'timeout', detail);
  }

  #cut(cause: FailureCause, detail: string): void {
    if (this.#isSettled) return;
    const isRunning = !this.#isComplete;
    this.break(cause, detail);
    if (isRunning) this.uncanceled = this.#options.source.cancel();
  }

  #end(end: StreamEnd): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#deadline);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.abandoned?.removeEventListener('abort', this.#onAbort);
    this.#settle(end);
  }
}
