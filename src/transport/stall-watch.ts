export interface StallTerms {
  /** For how long nothing may be taken. */
  readonly idle_ms: number;
  /** Whether the connection has bytes that the other end does not take. */
  readonly isBlocked: () => boolean;
  readonly onStall: () => void;
}

/** Watches a connection while answers wait on it; that we have nothing to send yet is no stall. */
export class StallWatch {
  readonly #terms: StallTerms;
  #timer: NodeJS.Timeout | undefined;

  constructor(terms: StallTerms) {
    this.#terms = terms;
  }

  /** Starts, unless it runs. */
  start(): void {
    this.#timer ??= setTimeout(() => this.#check(), this.#terms.idle_ms).unref();
  }

  /** Something was taken. */
  progress(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    if (!this.#terms.isBlocked()) {
      this.#timer?.refresh();
      return;
    }
    this.stop();
    this.#terms.onStall();
  }
}
