import type { Clock } from '../../time/clock.ts';

/** What an operator lets an upstream be asked; absent: any number of calls. */
export interface BudgetTerms {
  readonly callsPerSecond?: number;
  /** Counted from 00:00 UTC, by this instance alone. */
  readonly callsPerDay?: number;
}

const DAY_MS = 86_400_000;

/** Counts the calls an upstream may still be sent: a token bucket, and a count by UTC day. */
export class Budget {
  readonly #perSecond: number;
  readonly #perDay: number;
  readonly #clock: Clock;
  #tokens: number;
  #filled_ms: number;
  #day: number;
  #spentToday = 0;

  constructor({ callsPerSecond, callsPerDay }: BudgetTerms, clock: Clock) {
    this.#perSecond = callsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#perDay = callsPerDay ?? Number.POSITIVE_INFINITY;
    this.#clock = clock;
    this.#tokens = this.#most;
    this.#filled_ms = clock.monotonic_ms();
    this.#day = this.#today();
  }

  /** Whether a call may be sent now. */
  hasRoom(): boolean {
    this.#refresh();
    return this.#tokens >= 1 && this.#spentToday < this.#perDay;
  }

  /** A call is sent, whether or not there is room for it: the one who pays counts it all the same. */
  spend(): void {
    this.#refresh();
    this.#tokens -= 1;
    this.#spentToday += 1;
  }

  /** Null: unbounded. */
  leftToday(): number | null {
    this.#refresh();
    const left = this.#perDay - this.#spentToday;
    return Number.isFinite(left) ? Math.max(0, left) : null;
  }

  get #most(): number {
    return Math.max(1, this.#perSecond);
  }

  #refresh(): void {
    if (this.#perSecond !== Number.POSITIVE_INFINITY) {
      const now_ms = this.#clock.monotonic_ms();
      const gained = ((now_ms - this.#filled_ms) / 1000) * this.#perSecond;
      this.#tokens = Math.min(this.#most, this.#tokens + gained);
      this.#filled_ms = now_ms;
    }
    if (this.#perDay === Number.POSITIVE_INFINITY) return;
    const today = this.#today();
    if (today !== this.#day) this.#spentToday = 0;
    this.#day = today;
  }

  #today(): number {
    return Math.floor(this.#clock.now_ms() / DAY_MS);
  }
}
