import type { ByteLimit } from '../rpc/call.ts';
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

  /** Returns the limit that refuses the change; then nothing changes. */
  #change(account: string, change: number): ByteLimit | undefined {
    const bytes = (this.#byAccount.get(account) ?? 0) + change;
    const limit = change > 0 ? this.#limitOf(account, bytes, change) : undefined;
    if (limit !== undefined) return limit;
    this.#bytes += change;
    if (bytes === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, bytes);
    return undefined;
  }

  /** When all bytes are in use, an account may still have its equal share of them. */
  #limitOf(account: string, bytes: number, change: number): ByteLimit | undefined {
    const { unsent_bytes, unsent_account_bytes } = this.#limits();
    if (bytes > unsent_account_bytes) return 'caller_limit';
    if (this.#bytes + change <= unsent_bytes) return undefined;
    const accounts = this.#byAccount.size + (this.#byAccount.has(account) ? 0 : 1);
    return bytes <= unsent_bytes / accounts ? undefined : 'total_limit';
  }
}

/** Bytes reserved for one message. */
export class Reservation {
  readonly #change: (change: number) => ByteLimit | undefined;
  #bytes = 0;

  constructor(change: (change: number) => ByteLimit | undefined) {
    this.#change = change;
  }

  /** Reserves more bytes. Returns the limit that refuses them; then nothing changes. */
  reserve(bytes: number): ByteLimit | undefined {
    const limit = this.#change(bytes);
    if (limit === undefined) this.#bytes += bytes;
    return limit;
  }

  /** Reserves more bytes. Returns whether that is within the bounds; otherwise nothing changes. */
  add(bytes: number): boolean {
    return this.reserve(bytes) === undefined;
  }

  /** Reserves this many bytes in all. Returns whether that is within the bounds, as `add` does. */
  resize(bytes: number): boolean {
    return this.add(bytes - this.#bytes);
  }

  release(): void {
    this.resize(0);
  }
}
