import type { UnsentLimits } from './unsent-answers.ts';

/**
 * The bytes held for calls in progress: requests, partial WebSocket messages, and responses of batches
 * that are not complete. They are bounded per account and in total, with the limits of unread answers.
 */
export class ByteBudget {
  readonly #limits: () => Pick<UnsentLimits, 'unsent_bytes' | 'unsent_account_bytes'>;
  readonly #byAccount = new Map<string, number>();
  #bytes = 0;

  constructor(limits: () => Pick<UnsentLimits, 'unsent_bytes' | 'unsent_account_bytes'>) {
    this.#limits = limits;
  }

  /** Bytes held in total. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a reservation of an account, empty at first. It must be released. */
  open(account: string): Reservation {
    return new Reservation((change) => this.#change(account, change));
  }

  /** Returns whether the change is within the bounds; otherwise nothing changes. */
  #change(account: string, change: number): boolean {
    const bytes = (this.#byAccount.get(account) ?? 0) + change;
    if (change > 0 && !this.#isWithin(account, bytes, change)) return false;
    this.#bytes += change;
    if (bytes === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, bytes);
    return true;
  }

  /** When all bytes are in use, an account may still have its equal share of them. */
  #isWithin(account: string, bytes: number, change: number): boolean {
    const { unsent_bytes, unsent_account_bytes } = this.#limits();
    if (bytes > unsent_account_bytes) return false;
    if (this.#bytes + change <= unsent_bytes) return true;
    const accounts = this.#byAccount.size + (this.#byAccount.has(account) ? 0 : 1);
    return bytes <= unsent_bytes / accounts;
  }
}

/** Bytes reserved for one message. */
export class Reservation {
  readonly #change: (change: number) => boolean;
  #bytes = 0;

  constructor(change: (change: number) => boolean) {
    this.#change = change;
  }

  /** Reserves more bytes. Returns whether that is within the bounds; otherwise nothing changes. */
  add(bytes: number): boolean {
    return this.resize(this.#bytes + bytes);
  }

  /** Reserves this many bytes in all. Returns whether that is within the bounds, as `add` does. */
  resize(bytes: number): boolean {
    if (!this.#change(bytes - this.#bytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  release(): void {
    this.resize(0);
  }
}
