/** `closed`: calls pass; `open`: none do; `half-open`: one is let through to see. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** What an attempt says about the machine that was asked; nothing, when the caller gave up. */
export type Verdict = 'good' | 'bad' | 'nothing';

export interface BreakerOptions {
  /** Attempts that are remembered. */
  readonly attempts: number;
  /** How many of them may fail. */
  readonly failures: number;
  /** For how long it opens at first; doubled with each trial that fails, up to the most. */
  readonly open_ms: number;
  readonly most_open_ms: number;
  readonly monotonic_ms: () => number;
  readonly random: () => number;
  readonly onChange: (state: BreakerState) => void;
}

/** Spares an upstream that keeps failing, and those who would wait for it. */
export class Breaker {
  readonly #options: BreakerOptions;
  #state: BreakerState = 'closed';
  /** The attempts remembered: 1 for one that failed; overwritten in turn. */
  #memory: Uint8Array;
  #next = 0;
  #failures = 0;
  #opensUntil_ms = 0;
  #openings = 0;
  /** Attempts begun before the last change of state say nothing about the state after. */
  #era = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#memory = new Uint8Array(options.attempts);
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether an attempt may be made now. */
  admits(): boolean {
    if (this.#state === 'closed') return true;
    return this.#state === 'open' && this.#options.monotonic_ms() >= this.#opensUntil_ms;
  }

  /** An attempt is made; the function given back is told once how it ended. */
  begin(): (verdict: Verdict) => void {
    if (this.#state === 'open') this.#enter('half-open');
    const era = this.#era;
    return (verdict) => {
      if (era !== this.#era) return;
      if (this.#state === 'half-open') this.#conclude(verdict);
      else if (verdict !== 'nothing') this.#remember(verdict === 'bad' ? 1 : 0);
    };
  }

  #conclude(verdict: Verdict): void {
    if (verdict === 'good') {
      this.#openings = 0;
      this.#forget();
      this.#enter('closed');
    } else {
      this.#open(verdict === 'nothing' ? 0 : this.#pause_ms());
    }
  }

  #remember(failed: 0 | 1): void {
    this.#failures += failed - this.#memory[this.#next]!;
    this.#memory[this.#next] = failed;
    this.#next = (this.#next + 1) % this.#memory.length;
    if (this.#failures >= this.#options.failures) this.#open(this.#pause_ms());
  }

  #open(pause_ms: number): void {
    this.#opensUntil_ms = this.#options.monotonic_ms() + pause_ms;
    this.#enter('open');
  }

  /** Some of the pause is random, so that many gateways do not come back as one. */
  #pause_ms(): number {
    const { open_ms, most_open_ms, random } = this.#options;
    const span_ms = Math.min(most_open_ms, open_ms * 2 ** Math.min(this.#openings, 30));
    this.#openings += 1;
    return span_ms * (0.75 + random() / 4);
  }

  #forget(): void {
    this.#memory = new Uint8Array(this.#memory.length);
    this.#next = 0;
    this.#failures = 0;
  }

  #enter(state: BreakerState): void {
    this.#state = state;
    this.#era += 1;
    this.#options.onChange(state);
  }
}
