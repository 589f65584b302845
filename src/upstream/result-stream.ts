import type { FailureCause } from './failure.ts';

/** How a stream ended; `bytes` counts what its reader took. */
export type StreamEnd =
  | { readonly kind: 'whole'; readonly bytes: number }
  | {
      readonly kind: 'broken';
      readonly cause: FailureCause;
      readonly detail: string;
      readonly bytes: number;
    };

/**
 * The bytes of a result, to be iterated once: JSON text, untouched, in chunks as they come. The
 * upstream is read no faster than the reader iterates. Iteration throws StreamBroken when the rest
 * will not come; what was given then is no JSON and the caller must not take it for an answer.
 */
export interface ResultStream extends AsyncIterable<Buffer> {
  /** Settles once the reader has taken the last chunk, gone away, or met the break. Never rejects. */
  readonly ended: Promise<StreamEnd>;
}

/** The upstream, a bound or the caller itself cut the stream short. */
export class StreamBroken extends Error {
  readonly reason: FailureCause;

  constructor(reason: FailureCause, detail: string) {
    super(`the result was cut short: ${detail}`);
    this.name = 'StreamBroken';
    this.reason = reason;
  }
}

/** What a stream is fed from. */
export interface StreamSource {
  pause(): void;
  resume(): void;
  /** Nobody reads any more; called at most once, and not after the source itself has ended. */
  abandon(): void;
}

export interface StreamOptions {
  readonly source: StreamSource;
  readonly signal: AbortSignal;
  /** Fires when no one takes the result any more: what is still to come of it is discarded. */
  readonly abandoned?: AbortSignal | undefined;
  /** Bytes waiting for the reader at which the source is paused. */
  readonly buffer_bytes: number;
  /** For how long no byte may move, be it that none comes or that none is taken. */
  readonly idle_ms: number;
  /** For how long the stream may last. */
  readonly stream_ms: number;
}

/** A bounded queue of chunks between a source that pushes and one reader that pulls. */
export class ByteStream implements ResultStream {
  readonly ended: Promise<StreamEnd>;
  readonly #options: StreamOptions;
  readonly #settle: (end: StreamEnd) => void;
  readonly #idle: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort = (): void => this.#cut('aborted', 'the caller gave up');
  #chunks: Buffer[] = [];
  #waiting_bytes = 0;
  #taken_bytes = 0;
  #isPaused = false;
  #isComplete = false;
  #broken: StreamBroken | undefined;
  #isSettled = false;
  #wake: (() => void) | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<StreamEnd>();
    this.ended = promise;
    this.#settle = resolve;
    const { idle_ms, stream_ms, signal, abandoned } = options;
    this.#idle = setTimeout(() => this.#stall(`no byte moved for ${idle_ms} ms`), idle_ms);
    this.#deadline = setTimeout(
      () => this.#stall(`not at its end within ${stream_ms} ms`),
      stream_ms,
    );
    signal.addEventListener('abort', this.#onAbort, { once: true });
    abandoned?.addEventListener('abort', this.#onAbort, { once: true });
    if (abandoned?.aborted === true) this.#onAbort();
  }

  /** Adds bytes behind the others. */
  push(bytes: Buffer): void {
    if (this.#isSettled) return;
    this.#chunks.push(bytes);
    this.#waiting_bytes += bytes.length;
    this.#idle.refresh();
    if (!this.#isPaused && this.#waiting_bytes >= this.#options.buffer_bytes) {
      this.#isPaused = true;
      this.#options.source.pause();
    }
    this.#wake?.();
  }

  /** The source has ended well: what was pushed is the whole result. */
  complete(): void {
    this.#isComplete = true;
    this.#wake?.();
  }

  /** The source has ended badly: the rest will not come. */
  break(cause: FailureCause, detail: string): void {
    if (this.#isSettled || this.#broken !== undefined) return;
    this.#isComplete = true;
    this.#broken = new StreamBroken(cause, detail);
    this.#chunks = [];
    this.#end({ kind: 'broken', cause, detail, bytes: this.#taken_bytes });
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#cut('aborted', 'the reader went away');
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  async #next(): Promise<IteratorResult<Buffer, undefined>> {
    for (;;) {
      if (this.#broken !== undefined) throw this.#broken;
      const chunk = this.#take();
      if (chunk !== undefined) return { done: false, value: chunk };
      if (this.#isComplete) {
        this.#end({ kind: 'whole', bytes: this.#taken_bytes });
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }

  #take(): Buffer | undefined {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return undefined;
    this.#waiting_bytes -= chunk.length;
    this.#taken_bytes += chunk.length;
    this.#idle.refresh();
    if (this.#isPaused && this.#waiting_bytes < this.#options.buffer_bytes / 2) {
      this.#isPaused = false;
      if (!this.#isComplete) this.#options.source.resume();
    }
    return chunk;
  }

  /** Whoever is waited for is who is slow. */
  #stall(detail: string): void {
    this.#cut(this.#waiting_bytes > 0 ? 'aborted' : 'timeout', detail);
  }

  #cut(cause: FailureCause, detail: string): void {
    if (this.#isSettled) return;
    const isRunning = !this.#isComplete;
    this.break(cause, detail);
    if (isRunning) this.#options.source.abandon();
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
