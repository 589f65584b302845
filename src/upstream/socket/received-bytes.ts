import type { StartTimer } from '../../time/timer.ts';

export interface ReceivedBytesOptions {
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  /** Sends a ping; `pong` has to be called when its reply arrives. */
  readonly ping: () => void;
  /** Returns how many bytes have arrived on the connection. */
  readonly arrived_bytes: () => number;
  /** Other accounts wait behind the responses to this account. */
  readonly onOccupied: (account: string) => void;
  /** Other accounts wait behind the message that is arriving, if any. */
  readonly onSlow: () => void;
}

/** Bytes of responses to one account in one second above which other accounts should not wait behind them. */
const OCCUPYING_BYTES = 4 * 1024 * 1024;
const WINDOW_MS = 1_000;

/**
 * Bytes of an arriving message, or of responses to one account in one second, above which it is measured
 * how long others wait; at most once a second, since a node may refuse many pings.
 */
const MEASURED_BYTES = 65_536;

/** An account occupies the connection if bytes arrive during all of these steps, but no reply to a ping. */
const STEP_MS = 100;
const MAX_STEPS = 5;

/**
 * Counts the bytes of responses on one connection, by account, to find those that occupy it. On a slow
 * link, few bytes are enough: the reply to a ping shows how long it takes until a small response arrives
 * behind the others.
 */
export class ReceivedBytes {
  readonly #options: ReceivedBytesOptions;
  readonly #byAccount = new Map<string, number>();
  #startedAt_ms = 0;
  /** Bytes by account since the ping that has no reply yet; undefined if there is none. */
  #sincePing: Map<string, number> | undefined;
  #isLate = false;
  #measuredAt_ms = Number.NEGATIVE_INFINITY;
  #stopTimer: () => void = () => undefined;

  constructor(options: ReceivedBytesOptions) {
    this.#options = options;
  }

  /** Counts a response. */
  add(account: string, bytes: number): void {
    const now_ms = this.#options.monotonic_ms();
    if (now_ms - this.#startedAt_ms >= WINDOW_MS) {
      this.#byAccount.clear();
      this.#startedAt_ms = now_ms;
    }
    const sum_bytes = addTo(this.#byAccount, account, bytes);
    if (this.#sincePing !== undefined) addTo(this.#sincePing, account, bytes);
    else this.#measureAbove(sum_bytes);
    if (sum_bytes > OCCUPYING_BYTES) this.#options.onOccupied(account);
    else this.#checkLate();
  }

  /** Records how much of a message has arrived. */
  hold(bytes: number): void {
    if (this.#sincePing === undefined) this.#measureAbove(bytes);
  }

  /** Records the reply to a ping. */
  pong(): void {
    this.#stopTimer();
    this.#sincePing = undefined;
    this.#isLate = false;
  }

  #measureAbove(bytes: number): void {
    if (bytes <= MEASURED_BYTES) return;
    const now_ms = this.#options.monotonic_ms();
    if (now_ms - this.#measuredAt_ms < WINDOW_MS) return;
    this.#measuredAt_ms = now_ms;
    this.#sincePing = new Map();
    this.#options.ping();
    this.#step(1, this.#options.arrived_bytes());
  }

  #step(step: number, before_bytes: number): void {
    this.#stopTimer = this.#options.startTimer(STEP_MS, () => {
      const arrived_bytes = this.#options.arrived_bytes();
      // The node itself pauses, and would not reply any sooner over another connection.
      if (arrived_bytes === before_bytes) return this.pong();
      if (step < MAX_STEPS) return this.#step(step + 1, arrived_bytes);
      this.#isLate = true;
      this.#checkLate();
      return this.#options.onSlow();
    });
  }

  /** While the reply is late, finds the account that has received the most since the ping. */
  #checkLate(): void {
    if (!this.#isLate) return;
    const most = [...this.#sincePing!].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
    if (most[1] > MEASURED_BYTES) this.#options.onOccupied(most[0]);
  }
}

function addTo(sums: Map<string, number>, account: string, bytes: number): number {
  const sum = (sums.get(account) ?? 0) + bytes;
  sums.set(account, sum);
  return sum;
}
