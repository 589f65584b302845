export interface RepeatLimits {
  /** How long an equal violation counts as a repetition. */
  readonly repeat_ms: number;
  /** Maximum number of remembered violations; the oldest are dropped. */
  readonly remembered: number;
}

/** Remembers logged violations, so that one invalid node does not flood the log. */
export class Repeats {
  readonly #limits: RepeatLimits;
  readonly #monotonic_ms: () => number;
  readonly #logged_ms = new Map<string, number>();

  constructor(limits: RepeatLimits, monotonic_ms: () => number) {
    this.#limits = limits;
    this.#monotonic_ms = monotonic_ms;
  }

  /** Whether the violation was seen within the last `repeat_ms`; remembers it. */
  has(violation: string): boolean {
    const now_ms = this.#monotonic_ms();
    const last_ms = this.#logged_ms.get(violation);
    if (last_ms !== undefined && now_ms - last_ms < this.#limits.repeat_ms) return true;
    this.#logged_ms.delete(violation);
    this.#logged_ms.set(violation, now_ms);
    const [oldest] = this.#logged_ms.keys();
    if (this.#logged_ms.size > this.#limits.remembered && oldest !== undefined) {
      this.#logged_ms.delete(oldest);
    }
    return false;
  }
}
