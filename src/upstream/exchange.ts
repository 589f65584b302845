import type { Dispatcher } from 'undici';
import { failure, type UpstreamOutcome } from './upstream.ts';

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly response_bytes: number;
  /** Called once with the whole body of an answer of status 2xx. */
  readonly decode: (body: Buffer) => UpstreamOutcome;
  /** Called once, however the exchange ends. */
  readonly onOutcome: (outcome: UpstreamOutcome) => void;
}

/** How much of an unwanted answer is read so that its connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;

const ABORTED = new Error('the exchange was given up');

/** One HTTP request and its answer, collected within bounds. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #onAbort = (): void => {
    this.#end(failure('aborted', 'the caller gave up'));
    this.#controller?.abort(ABORTED);
  };
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #status = 0;
  #ended = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(ABORTED);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    const isWanted = this.#isOk();
    if (this.#length > (isWanted ? this.#options.response_bytes : DISCARDED_BYTES)) {
      this.#end(isWanted ? failure('too_large', 'the answer is too large') : this.#statusFailure());
      controller.abort(ABORTED);
    } else if (isWanted) {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (!this.#isOk()) return this.#end(this.#statusFailure());
    const [first] = this.#chunks;
    const isWhole = this.#chunks.length === 1 && first !== undefined;
    return this.#end(this.#options.decode(isWhole ? first : Buffer.concat(this.#chunks)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const code = 'code' in error ? String(error.code) : '';
    const cause = code.startsWith('HPE_') ? 'malformed' : 'connection';
    this.#end(failure(cause, code === '' ? error.message : code));
  }

  #isOk(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }

  #statusFailure(): UpstreamOutcome {
    return failure('status', `HTTP status ${this.#status}`);
  }

  #end(outcome: UpstreamOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#chunks = [];
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.onOutcome(outcome);
  }
}
