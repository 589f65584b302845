import type { Failure } from '../upstream.ts';
import type { BodyReader } from './response-reader.ts';

/** Reads and drops a body that is not wanted, so that its connection can be reused. */
export class DiscardedBody implements BodyReader {
  readonly held_bytes = 0;
  readonly #max_bytes: number;
  readonly #failed: Failure;
  readonly #onOutcome: (outcome: Failure) => void;
  #length_bytes = 0;

  /** A body that is larger than `max_bytes` is not read to its end. */
  constructor(max_bytes: number, failed: Failure, onOutcome: (outcome: Failure) => void) {
    this.#max_bytes = max_bytes;
    this.#failed = failed;
    this.#onOutcome = onOutcome;
  }

  expect(): boolean {
    return true;
  }

  push(chunk: Buffer): boolean {
    this.#length_bytes += chunk.length;
    if (this.#length_bytes <= this.#max_bytes) return true;
    this.end();
    return false;
  }

  end(): void {
    this.#onOutcome(this.#failed);
  }

  /** The rest of the body is not needed. */
  fail(): void {
    this.end();
  }
}
