import { ChunkList } from '../../json/chunk-list.ts';
import { failure, type Failure, type StreamingOutcome } from '../upstream.ts';
import type { BodyReader } from './response-reader.ts';

const TOO_LARGE = failure('too_large', 'response to a batch exceeds the size limit');

/** Collects a body without reading it; the outcome is a result with its bytes. */
export class WholeBody implements BodyReader {
  readonly #max_bytes: number;
  readonly #onOutcome: (outcome: StreamingOutcome) => void;
  readonly #chunks = new ChunkList();
  #length_bytes = 0;
  #isSettled = false;

  constructor(max_bytes: number, onOutcome: (outcome: StreamingOutcome) => void) {
    this.#max_bytes = max_bytes;
    this.#onOutcome = onOutcome;
  }

  get held_bytes(): number {
    return this.#isSettled ? 0 : this.#length_bytes;
  }

  expect(length_bytes: number): boolean {
    if (length_bytes <= this.#max_bytes) return true;
    this.fail(TOO_LARGE);
    return false;
  }

  push(chunk: Buffer): boolean {
    this.#length_bytes += chunk.length;
    this.#chunks.push(chunk);
    return this.expect(this.#length_bytes);
  }

  end(): void {
    this.#settle({ kind: 'result', result: this.#chunks.take() });
  }

  fail(failed: Failure): void {
    this.#settle(failed);
  }

  #settle(outcome: StreamingOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#chunks.clear();
    this.#onOutcome(outcome);
  }
}
