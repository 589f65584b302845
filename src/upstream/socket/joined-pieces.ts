import { ChunkList } from '../../json/chunk-list.ts';

/** Smaller pieces are passed on together. */
const JOINED_BYTES = 16_384;

/**
 * Joins the pieces in which a frame arrives. ws keeps those of an incomplete frame in an array and
 * removes them one by one when it is complete: 100,000 pieces of one byte stop the process for seconds.
 */
export class JoinedPieces {
  readonly #waiting = new ChunkList();
  #waiting_bytes = 0;

  /**
   * Adds received bytes and returns what to pass on. `isWithinFrame`: they neither begin nor end a frame,
   * so the reader only has to store them.
   */
  add(pieces: readonly Buffer[], isWithinFrame: boolean): readonly Buffer[] {
    if (this.#waiting_bytes === 0 && !isWithinFrame) return pieces;
    for (const piece of pieces) {
      this.#waiting.push(piece);
      this.#waiting_bytes += piece.length;
    }
    if (isWithinFrame && this.#waiting_bytes < JOINED_BYTES) return [];
    this.#waiting_bytes = 0;
    return [this.#waiting.take()];
  }
}
