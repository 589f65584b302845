import type { Clock } from '../../time/clock.ts';
import { BudgetShares } from './budget-shares.ts';

/** How many calls an operator allows to a node; unlimited when absent. */
export interface BudgetLimits {
  readonly callsPerSecond?: number;
  /** Number of calls that are saved up while fewer are sent; those of a second when absent. */
  readonly burst?: number;
  /** Counted from 00:00 UTC by this instance alone. */
  readonly callsPerDay?: number;
}

const DAY_MS = 86_400_000;

/** The calls a node may still be sent: a token bucket and a count per UTC day. */
export class Budget {
  readonly #perSecond: number;
  readonly #perDay: number;
  readonly #maxTokens: number;
  readonly #shares: BudgetShares | undefined;
  readonly #clock: Clock;
  #tokens: number;
  #filled_ms: number;
  #day: number;
  #spentToday = 0;

  constructor(limits: BudgetLimits, clock: Clock) {
    const { callsPerSecond = Infinity, callsPerDay = Infinity, burst = callsPerSecond } = limits;
    this.#perSecond = callsPerSecond;
    this.#perDay = callsPerDay;
    this.#maxTokens = Math.max(1, burst);
    this.#shares =
      callsPerSecond === Infinity ? undefined : new BudgetShares(callsPerSecond, this.#maxTokens);
    this.#clock = clock;
    this.#tokens = this.#maxTokens;
    this.#filled_ms = clock.monotonic_ms();
    this.#day = this.#today();
  }

  get isUnlimited(): boolean {
    return this.#perSecond === Infinity && this.#perDay === Infinity;
  }

  get isExhausted(): boolean {
    if (this.isUnlimited) return false;
    this.#refill();
    return this.#tokens < 1 || this.#spentToday >= this.#perDay;
  }

  /** Whether the budget, or the part of it available to an account, is spent. */
  isExhaustedFor(account = ''): boolean {
    const { isExhausted } = this;
    // Even if it is exhausted, the account is to have a share from now on.
    const isShared = this.#shares?.allows(account, this.#tokens, this.#clock.monotonic_ms());
    return isExhausted || isShared === false;
  }

  /**
   * Time until there is a call for an account that has spent less than its share, at least 1 ms; undefined for
   * other accounts, and if the calls of the day are spent.
   */
  waitOf_ms(account = ''): number | undefined {
    this.#refill();
    const isOwed = this.#shares?.isBelowShare(account, this.#clock.monotonic_ms()) === true;
    if (!isOwed || this.#spentToday >= this.#perDay) return undefined;
    return Math.max(1, Math.ceil((1000 * (1 - this.#tokens)) / this.#perSecond));
  }

  /** Null when unlimited. */
  get callsLeftToday(): number | null {
    this.#refill();
    const left = this.#perDay - this.#spentToday;
    return Number.isFinite(left) ? Math.max(0, left) : null;
  }

  /** Counts a call, even beyond the budget: probes, which belong to no account, count too. */
  spend(account?: string): void {
    this.#refill();
    if (account !== undefined) this.#shares?.spend(account, this.#clock.monotonic_ms());
    this.#tokens -= 1;
    this.#spentToday += 1;
  }

  #refill(): void {
    if (this.#perSecond !== Infinity) {
      const now_ms = this.#clock.monotonic_ms();
      const gained = ((now_ms - this.#filled_ms) / 1000) * this.#perSecond;
      this.#tokens = Math.min(this.#maxTokens, this.#tokens + gained);
      this.#filled_ms = now_ms;
    }
    const today = this.#today();
    if (today !== this.#day) this.#spentToday = 0;
    this.#day = today;
  }

  #today(): number {
    return Math.floor(this.#clock.now_ms() / DAY_MS);
  }
}
