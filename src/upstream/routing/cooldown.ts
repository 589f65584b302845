export interface CooldownOptions {
  readonly max_ms: number;
  readonly monotonic_ms: () => number;
  readonly onStart: (cooldown_ms: number) => void;
}

/** The time a node has asked not to be called (`Retry-After`). */
export class Cooldown {
  readonly #options: CooldownOptions;
  #ends_ms = Number.NEGATIVE_INFINITY;

  constructor(options: CooldownOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#options.monotonic_ms() < this.#ends_ms;
  }

  /** Starts or extends the cooldown if the outcome of a call asks for one. */
  apply({ cooldown_ms = 0 }: { readonly cooldown_ms?: number }): void {
    if (cooldown_ms <= 0) return;
    const { max_ms, monotonic_ms, onStart } = this.#options;
    const bounded_ms = Math.min(cooldown_ms, max_ms);
    const wasActive = this.isActive;
    this.#ends_ms = Math.max(this.#ends_ms, monotonic_ms() + bounded_ms);
    if (!wasActive) onStart(bounded_ms);
  }
}
