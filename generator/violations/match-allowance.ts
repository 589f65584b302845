/** The maximum balance: enough for a few matches that reach their limit. */
const MAX_ALLOWED_MS = 5_000;

/** The share of elapsed time that matches may use in the long term. */
const LONG_TERM_SHARE = 0.02;

/** Not charged for each match: an ordinary match takes less. */
const FREE_MS = 0.2;

/**
 * Limits the time of matches of unknown cost in one process (a token bucket). Limits per match alone
 * would add up over the texts of a request and over requests.
 */
export class MatchAllowance {
  readonly #now_ms: () => number;
  readonly #used_ms: () => number;
  #left_ms = MAX_ALLOWED_MS;
  #filledAt_ms: number;

  /** `used_ms` is a clock of processor time. */
  constructor(now_ms: () => number, used_ms: () => number) {
    this.#now_ms = now_ms;
    this.#used_ms = used_ms;
    this.#filledAt_ms = now_ms();
  }

  isSpent(): boolean {
    const now_ms = this.#now_ms();
    const gained_ms = (now_ms - this.#filledAt_ms) * LONG_TERM_SHARE;
    this.#left_ms = Math.min(MAX_ALLOWED_MS, this.#left_ms + gained_ms);
    this.#filledAt_ms = now_ms;
    return this.#left_ms <= 0;
  }

  /** Runs a match and charges its time. */
  charge<T>(match: () => T): T {
    const start_ms = this.#used_ms();
    const result = match();
    this.#left_ms -= Math.max(0, this.#used_ms() - start_ms - FREE_MS);
    return result;
  }
}
