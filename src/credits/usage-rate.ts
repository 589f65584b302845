const MINUTE_MS = 60_000;

/** Measures credits or calls per minute; older usage counts exponentially less. */
export class UsageRate {
  readonly #window_ms: number;
  #perMinute: number | null = null;
  #used = 0;
  #since_ms: number;

  constructor(window_ms: number, monotonic_ms: number) {
    this.#window_ms = window_ms;
    this.#since_ms = monotonic_ms;
  }

  add(used: number): void {
    this.#used += used;
  }

  /** Returns null until enough time has passed. No interval counts for more than `max`. */
  perMinute(monotonic_ms: number, max = Infinity): number | null {
    const elapsed_ms = monotonic_ms - this.#since_ms;
    if (elapsed_ms >= this.#window_ms / 10) {
      const latest = Math.min(max, (this.#used * MINUTE_MS) / elapsed_ms);
      const kept = this.#perMinute === null ? 0 : Math.exp(-elapsed_ms / this.#window_ms);
      this.#perMinute = kept * (this.#perMinute ?? 0) + (1 - kept) * latest;
      this.#used = 0;
      this.#since_ms = monotonic_ms;
    }
    return this.#perMinute;
  }
}
