import type { MessageTurns, Senders } from './message-turns.ts';

/**
 * Bytes of a body that are read before accounts take turns: less than a millisecond. Smaller bodies never
 * wait.
 */
const TURN_BYTES = 262_144;

/**
 * Time that a turn counts for the bytes it allows, since they are read after it. Otherwise one turn would
 * allow all bodies to continue, and every call would wait behind a read of each.
 */
const READ_MS = 1;

export interface BodyFlowOptions {
  /** The body: a request, or the controller of a response. */
  readonly controller: { pause(): unknown; resume(): unknown };
  readonly turns: MessageTurns;
  /** The account that sends the body, or those that wait for it. */
  readonly readers: Senders;
  /** Called when the body waits for a turn. */
  readonly onWaiting?: ((turn: Promise<void>) => void) | undefined;
}

/**
 * Pauses a body while its reader is slow, and during the turns of other accounts: Node reads up to 2 MiB from
 * each connection in one turn of the event loop, which many large bodies would make long.
 */
export class BodyFlow {
  readonly #options: BodyFlowOptions;
  /** Bytes since the latest turn. */
  #bytes = 0;
  #isWaiting = false;
  #isPaused = false;
  #isEnded = false;

  constructor(options: BodyFlowOptions) {
    this.#options = options;
  }

  /** Whether the body waits for the turn of its readers. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Counts bytes that have been read. */
  read(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < TURN_BYTES || this.#isWaiting || this.#isEnded) return;
    this.#bytes = 0;
    const { turns, readers, controller, onWaiting } = this.#options;
    const turn = turns.wait(readers, READ_MS);
    if (turn === undefined) return;
    this.#isWaiting = true;
    controller.pause();
    onWaiting?.(turn);
    void turn.then(() => this.#continue());
  }

  /** Pauses the body until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#options.controller.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#resume();
  }

  /** The connection may be used for the next response from now on. */
  end(): void {
    this.#isEnded = true;
  }

  #continue(): void {
    this.#isWaiting = false;
    this.#resume();
  }

  #resume(): void {
    if (!this.#isPaused && !this.#isWaiting && !this.#isEnded) this.#options.controller.resume();
  }
}
