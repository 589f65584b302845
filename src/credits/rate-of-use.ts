const MINUTE_MS = 60_000;

/**
 * How fast an account is used here, in credits or calls a minute: the last stretch of time counts
 * most, what lies some windows back hardly at all.
 */
export class RateOfUse {
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

  /** Null until some time has been watched. No stretch of time counts for more than `most`. */
  at(monotonic_ms: number, most = Infinity): number | null {
    const elapsed_ms = monotonic_ms - this.#since_ms;
    if (elapsed_ms >= this.#window_ms / 10) {
      const now = Math.min(most, (this.#used * MINUTE_MS) / elapsed_ms);
      const kept = this.#perMinute === null ? 0 : Math.exp(-elapsed_ms / this.#window_ms);
      this.#perMinute = kept * (this.#perMinute ?? 0) + (1 - kept) * now;
      this.#used = 0;
      this.#since_ms = monotonic_ms;
    }
    return this.#perMinute;
  }
}
