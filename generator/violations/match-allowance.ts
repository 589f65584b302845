/**
 * Maximum time that matches use at once. One message may have a hundred thousand texts; with the last match,
 * which may reach its own limit, the process is busy for less than a second.
 */
const MAX_MS = 500;

/** Share of the elapsed time that matches may use in the long term. */
const SHARE = 0.25;

/** The same for slow matches, so that they leave time for others. */
const MAX_SLOW_MS = 300;
const SLOW_SHARE = 0.02;

/**
 * What a match that may be interrupted takes at least: most of it to start and stop a timer, in another thread
 * that the clock does not see.
 */
const LIMITED_MS = 1;

/**
 * Limits the time of matches of unknown cost in one process. Limits per match alone would add up over
 * the texts of a request and over requests.
 */
export class MatchAllowance {
  readonly #used_ms: () => number;
  readonly #all: Balance;
  readonly #slow: Balance;

  /** `used_ms` is a clock of processor time. */
  constructor(now_ms: () => number, used_ms: () => number) {
    this.#used_ms = used_ms;
    this.#all = new Balance(now_ms, { max_ms: MAX_MS, share: SHARE });
    this.#slow = new Balance(now_ms, { max_ms: MAX_SLOW_MS, share: SLOW_SHARE });
  }

  /** Whether no further match may run that may be slow. */
  isSpent(): boolean {
    return this.#all.isSpent() || this.#slow.isSpent();
  }

  /** Runs a match that may be interrupted, and charges its time. */
  charge<T>(match: () => T): T {
    const { result, used_ms } = this.#time(match);
    this.#all.take(Math.max(used_ms, LIMITED_MS));
    if (used_ms > LIMITED_MS) this.#slow.take(used_ms - LIMITED_MS);
    return result;
  }

  /** Whether no further match may run, not even one that always ends soon. */
  isFreeSpent(): boolean {
    return this.#all.isSpent();
  }

  /** Runs a match that always ends soon, and charges its time: many of them may take long together. */
  chargeFree<T>(match: () => T): T {
    const { result, used_ms } = this.#time(match);
    this.#all.take(used_ms);
    return result;
  }

  #time<T>(match: () => T): { readonly result: T; readonly used_ms: number } {
    const start_ms = this.#used_ms();
    const result = match();
    return { result, used_ms: this.#used_ms() - start_ms };
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
