/** `closed`: calls pass; `open`: no call passes; `half-open`: one trial call is in flight. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** What an attempt shows about the node; `unknown` when the attempt was cut short. */
export type AttemptResult = 'success' | 'failure' | 'unknown';

export interface BreakerOptions {
  /** How many attempts are remembered, and how many of them may fail. */
  readonly attempts: number;
  readonly failures: number;
  /** How long the breaker opens at first; doubles with each failed trial, up to the maximum. */
  readonly open_ms: number;
  readonly max_open_ms: number;
  readonly monotonic_ms: () => number;
  readonly random: () => number;
  readonly onChange: (state: BreakerState) => void;
}

/** A circuit breaker: stops calls to a node that keeps failing. */
export class Breaker {
  readonly #options: BreakerOptions;
  #state: BreakerState = 'closed';
  /** Ring buffer of recent attempts: 1 for a failure. */
  #recent: Uint8Array;
  #next = 0;
  #failures = 0;
  #opensUntil_ms = 0;
  #openings = 0;
  /** Attempts started before the last change of state do not count after it. */
  #epoch = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#recent = new Uint8Array(options.attempts);
  }

  get state(): BreakerState {
    return this.#state;
  }

  get allowsAttempt(): boolean {
    if (this.#state === 'closed') return true;
    return this.#state === 'open' && this.#options.monotonic_ms() >= this.#opensUntil_ms;
  }

  /** Starts an attempt; the returned function records its result and is called once. */
  start(): (result: AttemptResult) => void {
    if (this.#state === 'open') this.#enter('half-open');
    const epoch = this.#epoch;
    return (result) => {
      if (epoch !== this.#epoch) return;
      if (this.#state === 'half-open') this.#endTrial(result);
      else if (result !== 'unknown') this.#record(result === 'failure' ? 1 : 0);
    };
  }

  #endTrial(result: AttemptResult): void {
    if (result !== 'success') return this.#open(result === 'unknown' ? 0 : this.#nextOpen_ms());
    this.#openings = 0;
    this.#recent = new Uint8Array(this.#recent.length);
    this.#next = 0;
    this.#failures = 0;
    this.#enter('closed');
  }

  #record(failed: 0 | 1): void {
    this.#failures += failed - this.#recent[this.#next]!;
    this.#recent[this.#next] = failed;
    this.#next = (this.#next + 1) % this.#recent.length;
    if (this.#failures >= this.#options.failures) this.#open(this.#nextOpen_ms());
  }

  #open(duration_ms: number): void {
    this.#opensUntil_ms = this.#options.monotonic_ms() + duration_ms;
    this.#enter('open');
  }

  /** A quarter is random, so that many gateways do not return at the same time. */
  #nextOpen_ms(): number {
    const { open_ms, max_open_ms, random } = this.#options;
    const duration_ms = Math.min(max_open_ms, open_ms * 2 ** Math.min(this.#openings, 30));
    this.#openings += 1;
    return duration_ms * (0.75 + random() / 4);
  }

  #enter(state: BreakerState): void {
    this.#state = state;
    this.#epoch += 1;
    this.#options.onChange(state);
  }
}
