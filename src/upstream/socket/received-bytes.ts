/** Bytes of responses to one account in one second above which other accounts should not wait behind them. */
const OCCUPYING_BYTES = 4 * 1024 * 1024;
const WINDOW_MS = 1_000;

/** Counts the bytes of responses on one connection, by account. */
export class ReceivedBytes {
  readonly #monotonic_ms: () => number;
  readonly #byAccount = new Map<string, number>();
  #startedAt_ms = 0;

  constructor(monotonic_ms: () => number) {
    this.#monotonic_ms = monotonic_ms;
  }

  /** Counts a response. Returns whether its account occupies the connection. */
  add(account: string, bytes: number): boolean {
    const now_ms = this.#monotonic_ms();
    if (now_ms - this.#startedAt_ms >= WINDOW_MS) {
      this.#byAccount.clear();
      this.#startedAt_ms = now_ms;
    }
    const sum_bytes = (this.#byAccount.get(account) ?? 0) + bytes;
    this.#byAccount.set(account, sum_bytes);
    return sum_bytes > OCCUPYING_BYTES;
  }
}
