import { decodeResponse } from '../envelope.ts';
import { ByteStream, type StreamSource } from '../result-stream.ts';
import type { StreamingOutcome } from '../upstream.ts';
import { failure, type FailureCause } from '../failure.ts';
import type { StreamSlots } from './stream-slots.ts';
import { ResponseScanner } from './response-scanner.ts';

/** Bounds of what is read of an answer. */
export interface AnswerLimits {
  /** Of an answer collected whole. */
  readonly response_bytes: number;
  readonly response_depth: number;
  /** From how many bytes on an answer is streamed to those who take streams. */
  readonly stream_from_bytes: number;
  /** Of a streamed answer, in all. */
  readonly stream_bytes: number;
  /** Of a streamed answer, waiting for its reader. */
  readonly stream_buffer_bytes: number;
  readonly stream_idle_ms: number;
  readonly stream_ms: number;
}

export interface AnswerOptions {
  readonly id: number;
  readonly limits: AnswerLimits;
  /** Whether the call takes a stream. */
  readonly streams: boolean;
  readonly slots: StreamSlots;
  readonly account: string;
  readonly signal: AbortSignal;
  /** Fires when no one waits for the answer any more. */
  readonly abandoned: AbortSignal | undefined;
  readonly source: StreamSource;
  /** Called once. */
  readonly onOutcome: (outcome: StreamingOutcome) => void;
}

/** What becomes of the body of an answer: collected within bounds, or passed on as it comes. */
export class AnswerReader {
  readonly #options: AnswerOptions;
  #chunks: Buffer[] = [];
  #length = 0;
  #streamsFrom_bytes: number;
  #scanner: ResponseScanner | undefined;
  #pieces: Buffer[] = [];
  #stream: ByteStream | undefined;
  #isTold = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
    const { stream_from_bytes, response_bytes } = options.limits;
    this.#streamsFrom_bytes = Math.min(stream_from_bytes, response_bytes);
  }

  /** Bytes held for an answer that is being collected. */
  get held_bytes(): number {
    return this.#stream === undefined && !this.#isTold ? this.#length : 0;
  }

  /** What the answer says its length is; false when that is too much. */
  expect(length_bytes: number): boolean {
    const { limits, streams } = this.#options;
    if (length_bytes >= this.#streamsFrom_bytes) this.#streamsFrom_bytes = 0;
    if (length_bytes > (streams ? limits.stream_bytes : limits.response_bytes)) {
      return this.#give('too_large', 'the answer is too large');
    }
    return length_bytes <= limits.response_bytes || this.#mayStream() || this.#refuse();
  }

  /** The next bytes; false when no more of them are wanted. */
  push(chunk: Buffer): boolean {
    const { limits } = this.#options;
    this.#length += chunk.length;
    if (this.#stream === undefined) this.#chunks.push(chunk);
    if (this.#length >= this.#streamsFrom_bytes && this.#mayStream()) {
      const flaw = this.#scan(this.#scanner === undefined ? this.#chunks : [chunk]);
      if (flaw !== undefined) return this.#give('malformed', flaw);
    }
    const most = this.#stream === undefined ? limits.response_bytes : limits.stream_bytes;
    return this.#length <= most || this.#refuse();
  }

  /** The body is whole. */
  end(): void {
    const { id, limits } = this.#options;
    if (this.#stream === undefined) {
      const [first] = this.#chunks;
      const isWhole = this.#chunks.length === 1 && first !== undefined;
      const body = isWhole ? first : Buffer.concat(this.#chunks);
      return this.#tell(decodeResponse(body, id, limits.response_depth));
    }
    const flaw = this.#scanner?.end();
    if (flaw === undefined) return this.#stream.complete();
    return this.#stream.break('malformed', flaw);
  }

  /** The body will not become whole. */
  fail(cause: FailureCause, detail: string): void {
    if (this.#stream === undefined) this.#tell(failure(cause, detail));
    else this.#stream.break(cause, detail);
  }

  /** Once begun, it goes on; before, it takes a slot, and the answer is collected without one. */
  #mayStream(): boolean {
    const { streams, slots, account } = this.#options;
    return streams && (this.#scanner !== undefined || slots.isFree(account));
  }

  /** An answer that could only be had as a stream may be had elsewhere, or later. */
  #refuse(): false {
    return !this.#options.streams || this.#scanner !== undefined
      ? this.#give('too_large', 'the answer is too large')
      : this.#give('overloaded', 'too many answers are streamed');
  }

  #give(cause: FailureCause, detail: string): false {
    this.fail(cause, detail);
    return false;
  }

  #scan(chunks: readonly Buffer[]): string | undefined {
    const { id, limits } = this.#options;
    this.#scanner ??= new ResponseScanner(id, limits.response_depth, (bytes) => {
      if (this.#stream === undefined) this.#pieces.push(bytes);
      else this.#stream.push(bytes);
    });
    for (const chunk of chunks) {
      const flaw = this.#scanner.feed(chunk);
      if (flaw !== undefined) return flaw;
    }
    if (this.#stream === undefined && this.#scanner.hasLargeResult) this.#open();
    return undefined;
  }

  #open(): void {
    const { limits, source, signal, abandoned, slots, account } = this.#options;
    const stream = new ByteStream({
      source,
      signal,
      abandoned,
      buffer_bytes: limits.stream_buffer_bytes,
      idle_ms: limits.stream_idle_ms,
      stream_ms: limits.stream_ms,
    });
    this.#stream = stream;
    void stream.ended.then(slots.take(account));
    for (const piece of this.#pieces) stream.push(piece);
    this.#pieces = [];
    this.#chunks = [];
    this.#tell({ kind: 'stream', stream });
  }

  #tell(outcome: StreamingOutcome): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#chunks = [];
    this.#pieces = [];
    this.#options.onOutcome(outcome);
  }
}
