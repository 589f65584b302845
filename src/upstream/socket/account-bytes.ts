import type { StartTimer } from '../../time/timer.ts';

export interface AccountBytesOptions {
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  /** Sends a ping; `stop` has to be called when its reply arrives. */
  readonly ping: () => void;
  /** Returns how many bytes have arrived on the connection. */
  readonly arrived_bytes: () => number;
  /** Other accounts wait behind the requests of this account. */
  readonly onCrowded: (account: string) => void;
  /** Other accounts wait behind the responses to this account. */
  readonly onOccupied: (account: string) => void;
  /** Other accounts wait behind the message that is arriving, if any. */
  readonly onSlow: () => void;
}

/** Bytes of responses to one account in one second above which other accounts should not wait behind them. */
const OCCUPYING_BYTES = 4 * 1024 * 1024;
const WINDOW_MS = 1_000;

/**
 * Bytes of an arriving message, or of responses to one account or its requests in one second, above which
 * it is measured how long others wait; at most once a second, since a node may refuse many pings.
 */
const MEASURED_BYTES = 65_536;

/**
 * The reply to a ping is late after these steps. If bytes arrive during all of them, it waits behind
 * responses; otherwise it may wait behind requests.
 */
const STEP_MS = 100;
const MAX_STEPS = 5;

/**
 * Counts the bytes of requests and responses on one connection, by account, to find those that occupy it.
 * On a slow link, few bytes are enough: the reply to a ping shows how long a small request and its response
 * take behind the others.
 */
export class AccountBytes {
  readonly #options: AccountBytesOptions;
  readonly #received = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  #startedAt_ms = 0;
  /** Bytes by account since the ping that has no reply yet; undefined if there is none. */
  #sincePing: Map<string, number> | undefined;
  #isLate = false;
  #measuredAt_ms = Number.NEGATIVE_INFINITY;
  #stopTimer: () => void = () => undefined;

  constructor(options: AccountBytesOptions) {
    this.#options = options;
  }

  /** Counts a response. */
  receive(account: string, bytes: number): void {
    this.#renewWindow();
    const sum_bytes = addTo(this.#received, account, bytes);
    if (this.#sincePing !== undefined) addTo(this.#sincePing, account, bytes);
    this.#measureAbove(sum_bytes);
    if (sum_bytes > OCCUPYING_BYTES) this.#options.onOccupied(account);
    else this.#checkLate();
  }

  /** Counts a request that is being sent. */
  send(account: string, bytes: number): void {
    this.#renewWindow();
    const sum_bytes = addTo(this.#sent, account, bytes);
    // The ping has to follow the request.
    if (sum_bytes > MEASURED_BYTES) queueMicrotask(() => this.#measureAbove(sum_bytes));
  }

  /** Records how much of a message has arrived. */
  hold(bytes: number): void {
    this.#measureAbove(bytes);
  }

  /** Ends the measurement: the reply to the ping has arrived, or the connection has ended. */
  stop(): void {
    this.#stopTimer();
    this.#sincePing = undefined;
    this.#isLate = false;
  }

  #renewWindow(): void {
    const now_ms = this.#options.monotonic_ms();
    if (now_ms - this.#startedAt_ms < WINDOW_MS) return;
    this.#startedAt_ms = now_ms;
    this.#received.clear();
    if (this.#sincePing === undefined) this.#sent.clear();
  }

  #measureAbove(bytes: number): void {
    if (bytes <= MEASURED_BYTES || this.#sincePing !== undefined) return;
    const now_ms = this.#options.monotonic_ms();
    if (now_ms - this.#measuredAt_ms < WINDOW_MS) return;
    this.#measuredAt_ms = now_ms;
    this.#sincePing = new Map();
    this.#options.ping();
    this.#step(1, this.#options.arrived_bytes(), true);
  }

  #step(step: number, before_bytes: number, wasArriving: boolean): void {
    this.#stopTimer = this.#options.startTimer(STEP_MS, () => {
      const arrived_bytes = this.#options.arrived_bytes();
      const isArriving = wasArriving && arrived_bytes > before_bytes;
      if (step < MAX_STEPS) return this.#step(step + 1, arrived_bytes, isArriving);
      return this.#endSteps(isArriving);
    });
  }

  #endSteps(isArriving: boolean): void {
    const sender = largestIn(this.#sent);
    this.#sent.clear();
    if (sender !== undefined) this.#options.onCrowded(sender);
    // The node itself pauses, and would not reply any sooner over another connection.
    if (!isArriving) return this.stop();
    this.#isLate = true;
    this.#checkLate();
    return this.#options.onSlow();
  }

  /** While the reply is late, finds the account that has received the most since the ping. */
  #checkLate(): void {
    if (!this.#isLate) return;
    const account = largestIn(this.#sincePing!);
    if (account !== undefined) this.#options.onOccupied(account);
  }
}

/** Returns the account with the highest number of bytes, if they are enough to delay others. */
function largestIn(sums: ReadonlyMap<string, number>): string | undefined {
  let largest: string | undefined;
  let max_bytes = MEASURED_BYTES;
  for (const [account, bytes] of sums) {
    if (bytes <= max_bytes) continue;
    largest = account;
    max_bytes = bytes;
  }
  return largest;
}

function addTo(sums: Map<string, number>, account: string, bytes: number): number {
  const sum = (sums.get(account) ?? 0) + bytes;
  sums.set(account, sum);
  return sum;
}
