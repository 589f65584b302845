/** Maximum time that slow matches use at once: enough for a few that reach their limit. */
const MAX_SLOW_MS = 5_000;

/** Share of the elapsed time that slow matches may use in the long term. */
const SLOW_SHARE = 0.02;

/** Time of an ordinary match, most of it to start and stop the timer that may interrupt it. */
const ORDINARY_MS = 0.25;

/** Maximum time that ordinary matches use at once: the time of 4,000. */
const MAX_ORDINARY_MS = 1_000;

/** Share of the elapsed time that ordinary matches may use in the long term: 1,000 matches a second. */
const ORDINARY_SHARE = 0.25;

/** Maximum time that matches without a limit of their own use at once, such as those of a large response. */
const MAX_FREE_MS = 2_000;

/** Share of the elapsed time that such matches may use in the long term. */
const FREE_SHARE = 0.1;

/**
 * Limits the time of matches of unknown cost in one process. Limits per match alone would add up over
 * the texts of a request and over requests. Ordinary matches have a limit of their own, so that slow ones
 * leave time for them; a request may have a hundred thousand texts.
 */
export class MatchAllowance {
  readonly #used_ms: () => number;
  readonly #slow: Balance;
  readonly #ordinary: Balance;
  readonly #free: Balance;

  /** `used_ms` is a clock of processor time. */
  constructor(now_ms: () => number, used_ms: () => number) {
    this.#used_ms = used_ms;
    this.#slow = new Balance(now_ms, { max_ms: MAX_SLOW_MS, share: SLOW_SHARE });
    this.#ordinary = new Balance(now_ms, { max_ms: MAX_ORDINARY_MS, share: ORDINARY_SHARE });
    this.#free = new Balance(now_ms, { max_ms: MAX_FREE_MS, share: FREE_SHARE });
  }

  isSpent(): boolean {
    return this.#slow.isSpent() || this.#ordinary.isSpent();
  }

  /** Runs a match and charges its time. */
  charge<T>(match: () => T): T {
    const start_ms = this.#used_ms();
    const result = match();
    this.#slow.take(Math.max(0, this.#used_ms() - start_ms - ORDINARY_MS));
    this.#ordinary.take(ORDINARY_MS);
    return result;
  }

  isFreeSpent(): boolean {
    return this.#free.isSpent();
  }

  /** Runs a match that always ends soon, and charges its time: many of them may take long together. */
  chargeFree<T>(match: () => T): T {
    const start_ms = this.#used_ms();
    const result = match();
    this.#free.take(this.#used_ms() - start_ms);
    return result;
  }
}

interface BalanceOptions {
  readonly max_ms: number;
  readonly share: number;
}

/**
 * Time that may be used: a token bucket. The time of a match itself adds nothing: on a busy machine, where
 * most of it is a wait for a processor, the matches of one request would otherwise never reach the limit.
 */
class Balance {
  readonly #now_ms: () => number;
  readonly #options: BalanceOptions;
  #left_ms: number;
  #filledAt_ms: number;

  constructor(now_ms: () => number, options: BalanceOptions) {
    this.#now_ms = now_ms;
    this.#options = options;
    this.#left_ms = options.max_ms;
    this.#filledAt_ms = now_ms();
  }

  isSpent(): boolean {
    const { max_ms, share } = this.#options;
    const now_ms = this.#now_ms();
    const gained_ms = (now_ms - this.#filledAt_ms) * share;
    this.#left_ms = Math.min(max_ms, this.#left_ms + gained_ms);
    this.#filledAt_ms = now_ms;
    return this.#left_ms <= 0;
  }

  take(used_ms: number): void {
    this.#left_ms -= used_ms;
    this.#filledAt_ms = this.#now_ms();
  }
}
