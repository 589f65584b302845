/** Fraction of the saved-up calls of a budget that is reserved for accounts below their share. */
const RESERVED_SHARE = 1 / 8;

/** Minimum number of reserved calls: one for such an account, and one for a probe, which always passes. */
const MIN_RESERVED_CALLS = 2;

/** An account saves up its share of a burst, or of this many calls. */
const MIN_WINDOW_CALLS = 8;

/** Number of windows for which an account without calls is remembered. */
const REMEMBERED_WINDOWS = 10;

/** Many accounts call once for each block of Ethereum, every 12 seconds. */
const MIN_REMEMBERED_MS = 15_000;

interface Spender {
  /** Calls of its share that it has not spent. */
  saved: number;
  at_ms: number;
}

/**
 * Shares the calls per second of a budget among accounts. One account may spend all of them, but of those
 * saved up, the shares of the other accounts that called lately are reserved for accounts that have spent
 * less than theirs, so that each can spend its share at once. At least an eighth, and two calls, are reserved.
 */
export class BudgetShares {
  readonly #minReserved: number;
  readonly #maxTokens: number;
  /** Calls per window that are shared equally while only the reserved calls are left. */
  readonly #shared: number;
  /** A single account shares with a future one, so that this finds the reserved calls of all but tiny budgets. */
  readonly #minSharers: 1 | 2;
  /** Time in which the budget allows the calls that are saved up, at least `MIN_WINDOW_CALLS`. */
  readonly #window_ms: number;
  readonly #remembered_ms: number;
  readonly #spenders = new Map<string, Spender>();
  #removedAt_ms = 0;

  constructor(callsPerSecond: number, maxTokens: number) {
    this.#maxTokens = maxTokens;
    this.#minReserved = Math.max(MIN_RESERVED_CALLS, maxTokens * RESERVED_SHARE);
    this.#minSharers = maxTokens - 1 < this.#minReserved ? 1 : 2;
    const windowCalls = Math.max(MIN_WINDOW_CALLS, maxTokens);
    this.#window_ms = (windowCalls / callsPerSecond) * 1000;
    this.#remembered_ms = Math.max(MIN_REMEMBERED_MS, REMEMBERED_WINDOWS * this.#window_ms);
    this.#shared = windowCalls * (1 - RESERVED_SHARE);
  }

  /** Whether an account may spend one of the `tokens` that are left. From now on it counts as a spender. */
  allows(account: string, tokens: number, now_ms: number): boolean {
    return this.isBelowShare(account, now_ms) || tokens - 1 >= this.#reserved();
  }

  /** Whether an account has spent less than its share. From now on it counts as a spender. */
  isBelowShare(account: string, now_ms: number): boolean {
    return this.#spenderOf(account, now_ms).saved >= 1;
  }

  spend(account: string, now_ms: number): void {
    const spender = this.#spenderOf(account, now_ms);
    spender.saved = Math.max(0, spender.saved - 1);
  }

  #reserved(): number {
    const othersShare = 1 - 1 / this.#spenders.size;
    return Math.max(this.#minReserved, this.#maxTokens * (1 - RESERVED_SHARE) * othersShare);
  }

  #spenderOf(account: string, now_ms: number): Spender {
    this.#removeIdle(now_ms);
    const spender = this.#spenders.get(account) ?? { saved: Infinity, at_ms: now_ms };
    this.#spenders.set(account, spender);
    const share = this.#shared / Math.max(this.#minSharers, this.#spenders.size);
    const gained = (share * (now_ms - spender.at_ms)) / this.#window_ms;
    spender.saved = Math.min(Math.max(1, share), spender.saved + gained);
    spender.at_ms = now_ms;
    return spender;
  }

  #removeIdle(now_ms: number): void {
    if (now_ms - this.#removedAt_ms < this.#window_ms) return;
    this.#removedAt_ms = now_ms;
    const oldest_ms = now_ms - this.#remembered_ms;
    for (const [account, { at_ms }] of this.#spenders) {
      if (at_ms < oldest_ms) this.#spenders.delete(account);
    }
  }
}
