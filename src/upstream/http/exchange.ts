import type { Dispatcher } from 'undici';
import type { StreamSource } from '../result-stream.ts';
import type { StreamingOutcome } from '../upstream.ts';
import { failure } from '../failure.ts';
import { readRetryAfter } from './retry-after.ts';
import { AnswerReader, type AnswerLimits } from './answer-reader.ts';
import { openDecoder, type Decoder } from './decoder.ts';
import type { StreamSlots } from './stream-slots.ts';
import { asksForRest, holdsAnswer, isOk } from './status.ts';

/** Bytes of answers held by all exchanges of an upstream together. */
export interface HeldBytes {
  now: number;
  readonly most: number;
}

export interface ExchangeOptions {
  /** Id of the request. */
  readonly id: number;
  readonly limits: AnswerLimits;
  readonly streams: boolean;
  readonly slots: StreamSlots;
  readonly account: string;
  readonly signal: AbortSignal;
  /** Fires when no one waits for the answer any more; the exchange goes on, a stream of it ends. */
  readonly abandoned: AbortSignal | undefined;
  readonly held: HeldBytes;
  readonly now_ms: () => number;
  /** Called once, however the exchange ends. */
  readonly onOutcome: (outcome: StreamingOutcome) => void;
}

/** How much of an unwanted answer is read so that its connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;

const ABORTED = new Error('the exchange was given up');

/** One HTTP request and its answer, within bounds. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #onAbort = (): void => {
    this.#fail('aborted', 'the caller gave up');
    this.#controller?.abort(ABORTED);
  };
  #controller: Dispatcher.DispatchController | undefined;
  #decoder: Decoder | undefined;
  #reader: AnswerReader | undefined;
  #status = 0;
  #rest_ms: number | undefined;
  #unwanted_bytes = 0;
  #held_bytes = 0;
  #isOver = false;
  #isReceived = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(ABORTED);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    if (asksForRest(status)) this.#rest_ms = readRetryAfter(headers, this.#options.now_ms());
    const reader = this.#openReader(controller);
    if (reader === undefined) return;
    this.#reader = reader;
    const coding = headers['content-encoding'];
    if (
      coding !== undefined &&
      coding !== 'identity' &&
      !this.#decode(controller, String(coding))
    ) {
      return this.#giveUp(controller, 'malformed', 'the answer is encoded as was not asked for');
    }
    if (!reader.expect(Number(headers['content-length'] ?? 0))) controller.abort(ABORTED);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#decoder !== undefined) {
      if (!this.#decoder.write(chunk)) controller.pause();
    } else if (this.#reader !== undefined) {
      this.#push(controller, chunk);
    } else {
      this.#unwanted_bytes += chunk.length;
      if (this.#unwanted_bytes > DISCARDED_BYTES) {
        this.#fail('status', `HTTP status ${this.#status}`);
        controller.abort(ABORTED);
      }
    }
  }

  onResponseEnd(): void {
    this.#isReceived = true;
    if (this.#decoder !== undefined) this.#decoder.end();
    else this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // Messages of errors may tell what was sent, secrets included; their codes do not.
    const code = 'code' in error ? String(error.code) : 'the connection broke';
    this.#fail(code.startsWith('HPE_') ? 'malformed' : 'connection', code);
  }

  /** A reader for what the answer's status says; none when its body is of no interest. */
  #openReader(controller: Dispatcher.DispatchController): AnswerReader | undefined {
    const { id, signal, slots, account, limits } = this.#options;
    const source = this.#sourceOf(controller);
    const tell = (outcome: StreamingOutcome): void => this.#tell(outcome);
    if (isOk(this.#status)) {
      const { abandoned, streams } = this.#options;
      const taken = { signal, abandoned, streams, slots, account };
      return new AnswerReader({ id, ...taken, limits, source, onOutcome: tell });
    }
    if (!holdsAnswer(this.#status)) return undefined;
    const status = failure('status', `HTTP status ${this.#status}`);
    return new AnswerReader({
      id,
      signal,
      abandoned: undefined,
      streams: false,
      slots,
      account,
      limits: { ...limits, response_bytes: DISCARDED_BYTES },
      source,
      onOutcome: (outcome) => tell(outcome.kind === 'error' ? outcome : status),
    });
  }

  #sourceOf(controller: Dispatcher.DispatchController): StreamSource {
    return {
      pause: () => (this.#decoder ?? controller).pause(),
      resume: () => (this.#decoder ?? controller).resume(),
      abandon: () => {
        this.#release();
        controller.abort(ABORTED);
      },
    };
  }

  #decode(controller: Dispatcher.DispatchController, coding: string): boolean {
    this.#decoder = openDecoder(coding, {
      onData: (bytes) => this.#push(controller, bytes),
      onEnd: () => this.#end(),
      onFlaw: () => this.#giveUp(controller, 'malformed', 'the encoding of the answer is broken'),
      onDrain: () => {
        if (!this.#isReceived) controller.resume();
      },
    });
    return this.#decoder !== undefined;
  }

  #push(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#isOver || this.#reader === undefined) return;
    const isWanted = this.#reader.push(bytes);
    const { held } = this.#options;
    held.now += this.#reader.held_bytes - this.#held_bytes;
    this.#held_bytes = this.#reader.held_bytes;
    if (!isWanted) {
      this.#release();
      controller.abort(ABORTED);
    } else if (held.now > held.most && this.#held_bytes > 0) {
      this.#giveUp(controller, 'overloaded', 'too many bytes of answers are held');
    }
  }

  #end(): void {
    if (this.#isOver) return;
    if (this.#reader === undefined) this.#fail('status', `HTTP status ${this.#status}`);
    else this.#reader.end();
    this.#release();
  }

  #giveUp(
    controller: Dispatcher.DispatchController,
    cause: 'malformed' | 'overloaded',
    detail: string,
  ): void {
    this.#fail(cause, detail);
    controller.abort(ABORTED);
  }

  #fail(cause: 'aborted' | 'connection' | 'malformed' | 'overloaded' | 'status', detail: string) {
    if (this.#isOver) return;
    if (this.#reader === undefined) this.#tell({ ...failure(cause, detail), ...this.#rest() });
    else this.#reader.fail(cause, detail);
    this.#release();
  }

  #rest(): { rest_ms?: number } {
    return this.#rest_ms === undefined ? {} : { rest_ms: this.#rest_ms };
  }

  #tell(outcome: StreamingOutcome): void {
    if (outcome.kind !== 'stream') this.#release();
    this.#options.onOutcome(outcome);
  }

  /** Nothing more is done with what comes. */
  #release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.held.now -= this.#held_bytes;
    this.#held_bytes = 0;
    this.#decoder?.destroy();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }
}
