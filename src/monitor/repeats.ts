export interface RepeatLimits {
  /** For how long the same violation is a repetition. */
  readonly repeat_ms: number;
  /** Violations remembered; the oldest make room. */
  readonly remembered: number;
}

/** Remembers what has been told, so that a node that always deviates does not fill the log. */
export class Repeats {
  readonly #limits: RepeatLimits;
  readonly #monotonic_ms: () => number;
  readonly #told_ms = new Map<string, number>();

  constructor(limits: RepeatLimits, monotonic_ms: () => number) {
    this.#limits = limits;
    this.#monotonic_ms = monotonic_ms;
  }

  /** Whether this was told within the last `repeat_ms`; from now on it was. */
  has(told: string): boolean {
    const now_ms = this.#monotonic_ms();
    const last_ms = this.#told_ms.get(told);
    if (last_ms !== undefined && now_ms - last_ms < this.#limits.repeat_ms) return true;
    this.#told_ms.delete(told);
    this.#told_ms.set(told, now_ms);
    const [oldest] = this.#told_ms.keys();
    if (this.#told_ms.size > this.#limits.remembered && oldest !== undefined) {
      this.#told_ms.delete(oldest);
    }
    return false;
  }
}
