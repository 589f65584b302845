import { reservedBeside } from '../with-queue.ts';

/**
 * Counts the streams of a node, since each keeps a connection open. In addition to `max`, a quarter of
 * it is reserved for accounts without a stream.
 */
export class StreamSlots {
  readonly #max: number;
  readonly #byAccount = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  isFree(account: string): boolean {
    if (this.#used < this.#max) return true;
    return this.#used < this.#max + reservedBeside(this.#max) && !this.#byAccount.has(account);
  }

  /** Takes a slot; the returned function frees it and must be called once. */
  take(account: string): () => void {
    this.#add(account, 1);
    return () => this.#add(account, -1);
  }

  #add(account: string, change: 1 | -1): void {
    this.#used += change;
    const used = (this.#byAccount.get(account) ?? 0) + change;
    if (used === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, used);
  }
}
