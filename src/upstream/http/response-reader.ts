import type { CancelSignal } from '../../time/cancellation.ts';
import { ChunkList } from '../../json/chunk-list.ts';
import type { MessageTurns } from '../../time/message-turns.ts';
import {
  ANSWERS_EARLIER,
  firstIdOf,
  isArray,
  MAX_BATCH_BYTES,
  outcomeFor,
  wrongId,
  type Response,
} from '../json-rpc.ts';
import type { UpstreamLimits } from '../limits.ts';
import { SlicedResponse } from '../sliced-response.ts';
import {
  failure,
  readersOf,
  type Failure,
  type StreamingOutcome,
  type UpstreamCall,
} from '../upstream.ts';
import { ByteStream, type StreamSource } from './byte-stream.ts';
import { ResponseScanner } from './response-scanner.ts';
import type { StreamSlots } from './stream-slots.ts';

/** Reads the body of an HTTP response. */
export interface BodyReader {
  /** Size of a response that is being buffered, or still being read after its last byte has arrived. */
  readonly held_bytes: number;
  /** Takes the announced length; returns false when the body is not wanted. */
  expect(length_bytes: number): boolean;
  /** Takes the next bytes; returns false when no more are wanted. */
  push(chunk: Buffer): boolean;
  end(): void;
  fail(failed: Failure): void;
}

export interface ReaderOptions {
  /** Id of the request. */
  readonly id: number;
  readonly call: UpstreamCall;
  readonly signal: CancelSignal;
  readonly limits: UpstreamLimits;
  /** Maximum size of a response that is not streamed. */
  readonly response_bytes: number;
  readonly slots: StreamSlots;
  /** Shares the time for whole responses among accounts. */
  readonly turns: MessageTurns;
  readonly source: StreamSource & {
    /** Closes the connection, whose next response would be given to the wrong call. */
    closeConnection(): void;
  };
  readonly monotonic_ms: () => number;
  /** Called once. */
  readonly onOutcome: (outcome: StreamingOutcome) => void;
}

/** How most nodes begin a response, also one to a batch. */
const LEADING_ID = /^\[?\{"jsonrpc":"2\.0","id":(\d{1,15}),/;
const MAX_LEADING_BYTES = 64;

/** Smaller responses take less than a millisecond. */
export const SMALL_BYTES = 16_384;

const TOO_LARGE = failure('too_large', 'response exceeds the size limit');
const TOO_MANY_STREAMS = failure('overloaded', 'too many streams');
const TOO_MANY_OWN_STREAMS = failure('unread', 'too many streams of the account');

/** Buffers a response within bounds, or passes its result on as a stream. */
export class ResponseReader implements BodyReader {
  readonly #options: ReaderOptions;
  readonly #streams: boolean;
  readonly #account: string;
  #streamFrom_bytes: number;
  readonly #chunks = new ChunkList();
  #length_bytes = 0;
  #scanner: ResponseScanner | undefined;
  /** Pieces of the result that were scanned before the stream opened. */
  readonly #pieces = new ChunkList();
  #stream: ByteStream | undefined;
  #isSettled = false;
  #onSettled: () => void = () => undefined;

  constructor(options: ReaderOptions) {
    const { limits, response_bytes, call } = options;
    this.#options = options;
    this.#streams = call.streams === true;
    this.#account = call.account ?? '';
    this.#streamFrom_bytes = Math.min(limits.stream_from_bytes, response_bytes);
  }

  get held_bytes(): number {
    return this.#stream === undefined && !this.#isSettled ? this.#length_bytes : 0;
  }

  expect(length_bytes: number): boolean {
    const { limits, response_bytes } = this.#options;
    if (length_bytes >= this.#streamFrom_bytes) this.#streamFrom_bytes = 0;
    if (length_bytes > (this.#streams ? limits.stream_bytes : response_bytes)) {
      return this.#reject(TOO_LARGE);
    }
    return length_bytes <= response_bytes || this.#mayStream() || this.#rejectSize();
  }

  push(chunk: Buffer): boolean {
    const { limits, response_bytes } = this.#options;
    const failedId = this.#length_bytes === 0 ? this.#checkLeadingId(chunk) : undefined;
    if (failedId !== undefined) return this.#reject(failedId);
    this.#length_bytes += chunk.length;
    if (this.#stream === undefined) this.#chunks.push(chunk);
    if (this.#length_bytes >= this.#streamFrom_bytes && this.#mayStream()) {
      const failed = this.#scan(this.#scanner === undefined ? this.#chunks.list() : [chunk]);
      if (failed !== undefined) return this.#reject(failed);
    }
    const max_bytes = this.#stream === undefined ? response_bytes : limits.stream_bytes;
    return this.#length_bytes <= max_bytes || this.#rejectSize();
  }

  end(): void {
    if (this.#stream === undefined) return this.#decode();
    const failed = this.#scanner?.end();
    return failed === undefined ? this.#stream.complete() : this.fail(failed);
  }

  fail(failed: Failure): void {
    if (this.#stream === undefined) return this.#settle(failed);
    this.#stream.break(failed.cause, failed.detail);
    if (failed === ANSWERS_EARLIER) this.#options.source.closeConnection();
  }

  /** Checks the id early if possible: the connection can be closed only before the response has ended. */
  #checkLeadingId(chunk: Buffer): Failure | undefined {
    const { id } = this.#options;
    const [, received] = LEADING_ID.exec(chunk.toString('latin1', 0, MAX_LEADING_BYTES)) ?? [];
    return received === undefined || received === String(id) ? undefined : wrongId(id, received);
  }

  /**
   * Reads a whole response: a small one at once, others in slices. Those that do not fit into a turn of
   * the event loop wait, since a hundred large responses may have arrived at the same time.
   */
  #decode(): void {
    const { id, call, limits, turns } = this.#options;
    const body = this.#chunks.take();
    const reading = new SlicedResponse(body, limits.response_depth);
    const work = (): 'unfinished' | undefined => {
      if (this.#isSettled) return undefined;
      const response = reading.next();
      if (response === undefined) return 'unfinished';
      this.#settle(
        this.#answersEarlierBatch(body, response) ? ANSWERS_EARLIER : outcomeFor(id, response),
      );
      return undefined;
    };
    if (this.#length_bytes <= SMALL_BYTES) return void work();
    turns.run(readersOf(call), work);
    if (this.#isSettled) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onSettled = resolve;
    return call.onWaiting?.(promise);
  }

  /** Whether the body is the response to an earlier batch. */
  #answersEarlierBatch(body: Buffer, response: Response | Failure): boolean {
    if (response.kind !== 'failure' || body.length > MAX_BATCH_BYTES || !isArray(body))
      return false;
    const { id, limits } = this.#options;
    return wrongId(id, firstIdOf(body, limits.response_depth)) === ANSWERS_EARLIER;
  }

  /** Scanning continues once begun; it begins only with a free slot. */
  #mayStream(): boolean {
    const { slots } = this.#options;
    return this.#streams && (this.#scanner !== undefined || slots.isFree(this.#account));
  }

  /**
   * A response that is too large only because it is not streamed may be available elsewhere, or later, unless
   * its account has its share of the streams.
   */
  #rejectSize(): false {
    const wasStreamable = this.#streams && this.#scanner === undefined;
    if (!wasStreamable) return this.#reject(TOO_LARGE);
    const isOwn = this.#options.slots.hasShare(this.#account);
    return this.#reject(isOwn ? TOO_MANY_OWN_STREAMS : TOO_MANY_STREAMS);
  }

  #reject(failed: Failure): false {
    this.fail(failed);
    return false;
  }

  #scan(chunks: readonly Buffer[]): Failure | undefined {
    const { id, limits } = this.#options;
    this.#scanner ??= new ResponseScanner(id, limits.response_depth, (bytes) => {
      if (this.#stream === undefined) this.#pieces.push(bytes);
      else this.#stream.push(bytes);
    });
    for (const chunk of chunks) {
      const failed = this.#scanner.feed(chunk);
      if (failed !== undefined) return failed;
    }
    if (this.#stream === undefined && this.#scanner.hasLargeResult) this.#openStream();
    return undefined;
  }

  #openStream(): void {
    const { limits, source, signal, call, slots, monotonic_ms } = this.#options;
    const stream = new ByteStream({
      source,
      signal,
      abandoned: call.abandoned,
      buffer_bytes: limits.stream_buffer_bytes,
      idle_ms: limits.stream_idle_ms,
      stream_ms: limits.stream_ms,
      monotonic_ms,
    });
    this.#stream = stream;
    void stream.ended.then(slots.take(this.#account));
    for (const piece of this.#pieces.list()) stream.push(piece);
    this.#settle({ kind: 'stream', stream });
  }

  #settle(outcome: StreamingOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#chunks.clear();
    this.#pieces.clear();
    this.#onSettled();
    this.#options.onOutcome(outcome);
  }
}
