import type { Refusal, Reservation, Spender } from './ledger.ts';

/** A call that waits for credits from the store. */
export interface WaitingCall {
  readonly spender: Spender;
  readonly method: string;
  readonly cost: number;
  readonly isWaiting: boolean;
}

interface Entry extends WaitingCall {
  isWaiting: boolean;
  readonly resolve: (outcome: Reservation | Refusal) => void;
  readonly timer: NodeJS.Timeout;
}

/** Maximum number of calls in one request to the store. */
const MAX_REQUESTED = 256;

export interface WaitingOptions {
  readonly maxCalls: number;
  readonly wait_ms: number;
  readonly onTimeout: Refusal;
}

/** Waiting calls in order, each with a timeout. */
export class WaitingCalls {
  readonly #entries = new Set<Entry>();
  readonly #options: WaitingOptions;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns undefined if too many calls are waiting. */
  add(
    call: Pick<WaitingCall, 'spender' | 'method' | 'cost'>,
  ): Promise<Reservation | Refusal> | undefined {
    const { maxCalls, wait_ms, onTimeout } = this.#options;
    if (this.#entries.size >= maxCalls) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.resolve(entry, onTimeout), wait_ms);
      const entry: Entry = { ...call, isWaiting: true, resolve, timer };
      this.#entries.add(entry);
    });
  }

  /** Returns the calls to request credits for next. */
  first(): readonly WaitingCall[] {
    return this.all().slice(0, MAX_REQUESTED);
  }

  all(): readonly WaitingCall[] {
    return [...this.#entries];
  }

  /** Ends the wait of a call returned by `first` or `all`. */
  resolve(call: WaitingCall, outcome: Reservation | Refusal): void {
    const entry = call as Entry;
    if (!this.#entries.delete(entry)) return;
    entry.isWaiting = false;
    clearTimeout(entry.timer);
    entry.resolve(outcome);
  }

  refuseAll(refusal: Refusal): void {
    for (const entry of this.#entries) this.resolve(entry, refusal);
  }
}
