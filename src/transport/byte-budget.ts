import type { ByteLimit } from '../rpc/call.ts';
import type { UnsentLimits } from './unsent-answers.ts';

interface Account {
  bytes: number;
}

/**
 * The bytes held for calls in progress: requests, partial WebSocket messages, and responses of batches that
 * are not complete. They are bounded per account and in total, with the limits of unread answers. Keeps one
 * small entry per account that has ever called.
 */
export class ByteBudget {
  readonly #limits: () => Pick<UnsentLimits, 'unsent_bytes' | 'unsent_account_bytes'>;
  readonly #accounts = new Map<string, Account>();
  /** Accounts that hold bytes. */
  #holders = 0;
  #bytes = 0;

  constructor(limits: () => Pick<UnsentLimits, 'unsent_bytes' | 'unsent_account_bytes'>) {
    this.#limits = limits;
  }

  /** Bytes held in total. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a reservation of an account, empty at first. It must be released. */
  open(name: string): Reservation {
    let account = this.#accounts.get(name);
    if (account === undefined) this.#accounts.set(name, (account = { bytes: 0 }));
    return new Reservation(this, account);
  }

  /**
   * Reserves more bytes for an account. Returns the limit they would exceed, if any; nothing changes then.
   */
  change(account: Account, change: number): ByteLimit | undefined {
    const before = account.bytes;
    const bytes = before + change;
    const limit = change > 0 ? this.#limitOf(account, bytes, change) : undefined;
    if (limit !== undefined) return limit;
    this.#bytes += change;
    account.bytes = bytes;
    if (before === 0 && bytes > 0) this.#holders += 1;
    if (before > 0 && bytes === 0) this.#holders -= 1;
    return undefined;
  }

  /** When all bytes are in use, an account may still have its equal share of them. */
  #limitOf(account: Account, bytes: number, change: number): ByteLimit | undefined {
    const { unsent_bytes, unsent_account_bytes } = this.#limits();
    if (bytes > unsent_account_bytes) return 'caller_limit';
    if (this.#bytes + change <= unsent_bytes) return undefined;
    const accounts = this.#holders + (account.bytes > 0 ? 0 : 1);
    return bytes <= unsent_bytes / accounts ? undefined : 'total_limit';
  }
}

/** Bytes reserved for one message. */
export class Reservation {
  readonly #budget: ByteBudget;
  readonly #account: Account;
  #bytes = 0;

  constructor(budget: ByteBudget, account: Account) {
    this.#budget = budget;
    this.#account = account;
  }

  /** Reserves more bytes. Returns the limit they would exceed, if any; nothing changes then. */
  reserve(bytes: number): ByteLimit | undefined {
    const limit = this.#budget.change(this.#account, bytes);
    if (limit === undefined) this.#bytes += bytes;
    return limit;
  }

  /** Reserves more bytes. Returns whether that is within the bounds; otherwise nothing changes. */
  add(bytes: number): boolean {
    return this.reserve(bytes) === undefined;
  }

  /**
   * Changes the reservation to this many bytes in total. Returns whether that is within the bounds, as
   * `add` does.
   */
  resize(bytes: number): boolean {
    return this.add(bytes - this.#bytes);
  }

  release(): void {
    this.resize(0);
  }
}
