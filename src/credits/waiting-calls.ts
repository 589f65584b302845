import type { Refusal, Reservation, Spender } from './ledger.ts';

/** A call that waits for the store's answer. */
export interface WaitingCall {
  readonly spender: Spender;
  readonly method: string;
  readonly cost: number;
  readonly isWaiting: boolean;
}

interface Entry extends WaitingCall {
  isWaiting: boolean;
  readonly resolve: (answer: Reservation | Refusal) => void;
  readonly timer: NodeJS.Timeout;
}

/** Calls told of to the store at once; the others come next. */
const MOST_ASKED = 256;

/** Calls that wait, in their order, each for a limited time. */
export class WaitingCalls {
  readonly #entries = new Set<Entry>();
  readonly #most: number;
  readonly #wait_ms: number;
  readonly #onTimeout: Refusal;

  constructor(options: {
    readonly most: number;
    readonly wait_ms: number;
    /** What a call is told that waited too long. */
    readonly onTimeout: Refusal;
  }) {
    this.#most = options.most;
    this.#wait_ms = options.wait_ms;
    this.#onTimeout = options.onTimeout;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Undefined when too many wait already. */
  add(
    call: Pick<WaitingCall, 'spender' | 'method' | 'cost'>,
  ): Promise<Reservation | Refusal> | undefined {
    if (this.#entries.size >= this.#most) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(entry, this.#onTimeout), this.#wait_ms);
      const entry: Entry = { ...call, isWaiting: true, resolve, timer };
      this.#entries.add(entry);
    });
  }

  /** The first to be asked for. */
  first(): readonly WaitingCall[] {
    return [...this.#entries].slice(0, MOST_ASKED);
  }

  all(): readonly WaitingCall[] {
    return [...this.#entries];
  }

  /** Ends the wait of a call that was got from here. */
  answer(call: WaitingCall, answer: Reservation | Refusal): void {
    const entry = call as Entry;
    if (!this.#entries.delete(entry)) return;
    entry.isWaiting = false;
    clearTimeout(entry.timer);
    entry.resolve(answer);
  }

  refuseAll(refusal: Refusal): void {
    for (const entry of this.#entries) this.answer(entry, refusal);
  }
}
