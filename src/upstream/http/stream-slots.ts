import { reservedBeside } from '../with-queue.ts';

/**
 * Streams under way from an upstream: each keeps one of its connections for as long as it lasts. An
 * eighth more than `most` is kept for accounts that have none.
 */
export class StreamSlots {
  readonly #most: number;
  readonly #byAccount = new Map<string, number>();
  #now = 0;

  constructor(most: number) {
    this.#most = most;
  }

  isFree(account: string): boolean {
    if (this.#now < this.#most) return true;
    return this.#now < this.#most + reservedBeside(this.#most) && !this.#byAccount.has(account);
  }

  /** The function returned gives the slot back; to be called once. */
  take(account: string): () => void {
    this.#change(account, 1);
    return () => this.#change(account, -1);
  }

  #change(account: string, change: 1 | -1): void {
    this.#now += change;
    const now = (this.#byAccount.get(account) ?? 0) + change;
    if (now === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, now);
  }
}
