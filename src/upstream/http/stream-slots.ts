import { maySlotBeTaken, reservedBeside } from '../fair-slots.ts';

/**
 * Counts the streams of a node, since each keeps a connection open. In addition to `max`, as many
 * are reserved for accounts below their share.
 */
export class StreamSlots {
  readonly #max: number;
  readonly #byAccount = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  isFree(account: string): boolean {
    const { own, accounts } = this.#sharesOf(account);
    const reserved = reservedBeside(this.#max);
    return maySlotBeTaken({ slots: this.#max, reserved, used: this.#used, own, accounts });
  }

  /** Whether an account has at least its share of the slots. */
  hasShare(account: string): boolean {
    const { own, accounts } = this.#sharesOf(account);
    return own * accounts >= this.#max;
  }

  #sharesOf(account: string): { readonly own: number; readonly accounts: number } {
    const own = this.#byAccount.get(account) ?? 0;
    return { own, accounts: this.#byAccount.size + (own === 0 ? 1 : 0) };
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
