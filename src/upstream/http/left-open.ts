import type { Dispatcher } from 'undici';
import type { StartTimer } from '../../time/timer.ts';
import type { UpstreamLimits } from '../limits.ts';

/** Bytes that may still arrive: a node that sends more is not slow. */
const MAX_BYTES = 4 * 1024 * 1024;
/** What each chunk counts for at least. */
const MIN_CHUNK_BYTES = 1_024;

const OVER = new Error('the response is not needed');

export interface LeftOpenOptions {
  readonly limits: Pick<UpstreamLimits, 'late_response_ms'>;
  readonly startTimer: StartTimer;
}

/**
 * An exchange that was canceled. Its connection stays open until the end of its response, because the node is
 * taken to work on it until then, but at most for `late_response_ms` and 4 MiB.
 */
export class LeftOpen {
  /** Settles at the end of the response or of the connection. */
  readonly ended: Promise<void>;
  readonly #controller: Dispatcher.DispatchController;
  readonly #settle: () => void;
  readonly #stopTimer: () => void;
  #left_bytes = MAX_BYTES;

  constructor(controller: Dispatcher.DispatchController, { limits, startTimer }: LeftOpenOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#settle = resolve;
    this.#controller = controller;
    this.#stopTimer = startTimer(limits.late_response_ms, () => controller.abort(OVER));
    controller.resume();
  }

  /** Discards a chunk of the response. */
  read(bytes: number): void {
    this.#left_bytes -= Math.max(bytes, MIN_CHUNK_BYTES);
    if (this.#left_bytes < 0) this.#controller.abort(OVER);
  }

  end(): void {
    this.#stopTimer();
    this.#settle();
  }
}
