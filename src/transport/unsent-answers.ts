/** Limits for the responses that callers have not read yet, in bytes. */
export interface UnsentLimits {
  /** Of all connections. */
  readonly unsent_bytes: number;
  /** Of one account. */
  readonly unsent_account_bytes: number;
  /** Of all connections without a valid key together. */
  readonly unsent_anonymous_bytes: number;
  /** Of one connection. */
  readonly unsent_connection_bytes: number;
}

/**
 * Why a connection is cut. `total_limit`: all callers together exceed the limit of unread bytes; this
 * caller does not exceed its own, so its responses are not charged. The other causes are due to the caller
 * and count as a disconnect. `caller_limit`: the connection or its account exceeds the limit of unread
 * bytes, its account exceeds the limit of bytes held for calls in progress, or a WebSocket message has too
 * many small fragments. `stalled`: the caller read nothing, or did not finish a WebSocket message, for too
 * long. `pipelined`: too many unanswered requests.
 */
export type CutCause = 'total_limit' | 'caller_limit' | 'stalled' | 'pipelined';

/** A connection that holds responses; compared by identity. */
export interface Holder {
  cut(cause: CutCause): void;
}

/** One response in memory. */
export interface HeldAnswer {
  /** Records how many more of its bytes were sent. */
  sent(bytes: number): void;
  /** Records that the response was sent or dropped. A second call has no effect. */
  release(): void;
}

/**
 * Memory of an unsent response in addition to its bytes: its request, response object and headers.
 * Measured with Node 24: 13 to 16 KB.
 */
export const ANSWER_BYTES = 16_384;

/** The bytes of the responses to one account that one connection has not read yet. */
interface Held {
  bytes: number;
  answers: number;
  isCut: boolean;
}

/** The bytes that one account, or all anonymous callers together, have not read yet. */
class Share {
  bytes = 0;
  answers = 0;
  readonly #byHolder = new Map<Holder, Held>();

  of(holder: Holder): Held {
    let held = this.#byHolder.get(holder);
    if (held === undefined) {
      held = { bytes: 0, answers: 0, isCut: false };
      this.#byHolder.set(holder, held);
    }
    return held;
  }

  add(held: Held, bytes: number, answers: number): void {
    held.bytes += bytes;
    held.answers += answers;
    this.bytes += bytes;
    this.answers += answers;
  }

  drop(holder: Holder): void {
    this.#byHolder.delete(holder);
  }

  /** Returns the connection that holds the most; among equals, the oldest. */
  largest(): Holder {
    let max_bytes = -1;
    let largest: Holder | undefined;
    for (const [holder, { bytes }] of this.#byHolder) {
      if (bytes <= max_bytes) continue;
      max_bytes = bytes;
      largest = holder;
    }
    return largest!;
  }
}

/**
 * The responses in memory that their callers have not read yet, limited per connection, per
 * account, for all anonymous callers and in total. When a limit is exceeded, the account that holds
 * the most relative to its share loses the connection that holds the most. A single response may
 * exceed any limit.
 */
export class UnsentAnswers {
  readonly #limits: () => UnsentLimits;
  /** By account; undefined is for anonymous callers. */
  readonly #shares = new Map<string | undefined, Share>();
  #bytes = 0;
  #answers = 0;

  constructor(limits: () => UnsentLimits) {
    this.#limits = limits;
  }

  /** Bytes held in total. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes held for callers without a valid key. */
  get anonymousBytes(): number {
    return this.#shares.get(undefined)?.bytes ?? 0;
  }

  /**
   * Holds a response of `bytes` for an account (undefined: an anonymous caller). Bytes that all
   * callers share, such as those of the document, are not included.
   */
  hold(holder: Holder, account: string | undefined, bytes: number): HeldAnswer {
    const share = this.#shares.get(account) ?? new Share();
    this.#shares.set(account, share);
    const held = share.of(holder);
    let unsent = bytes + ANSWER_BYTES;
    let isReleased = false;
    this.#add(share, held, unsent, 1);
    this.#keepWithin(holder, account);
    return {
      sent: (count) => {
        if (isReleased || held.isCut) return;
        const sent = Math.min(count, unsent - ANSWER_BYTES);
        unsent -= sent;
        this.#add(share, held, -sent, 0);
      },
      release: () => {
        if (isReleased || held.isCut) return;
        isReleased = true;
        this.#add(share, held, -unsent, -1);
        this.#forget(holder, account);
      },
    };
  }

  #add(share: Share, held: Held, bytes: number, answers: number): void {
    share.add(held, bytes, answers);
    this.#bytes += bytes;
    this.#answers += answers;
  }

  /** Removes the entries of a connection and an account that hold nothing. */
  #forget(holder: Holder, account: string | undefined): void {
    const share = this.#shares.get(account);
    if (share === undefined) return;
    if (share.of(holder).answers === 0) share.drop(holder);
    if (share.answers === 0) this.#shares.delete(account);
  }

  #keepWithin(holder: Holder, account: string | undefined): void {
    const { unsent_bytes, unsent_connection_bytes } = this.#limits();
    const { bytes, answers } = this.#shares.get(account)!.of(holder);
    if (bytes > unsent_connection_bytes && answers > 1) this.#cut(holder, account, 'caller_limit');
    for (let share = this.#shares.get(account); share !== undefined;) {
      if (share.bytes <= this.#shareOf(account) || share.answers === 1) break;
      this.#cut(share.largest(), account, 'caller_limit');
      share = this.#shares.get(account);
    }
    while (this.#bytes > unsent_bytes && this.#answers > 1) {
      const largest = this.#largestAccount();
      this.#cut(this.#shares.get(largest)!.largest(), largest, 'total_limit');
    }
  }

  #cut(holder: Holder, account: string | undefined, cause: CutCause): void {
    const share = this.#shares.get(account)!;
    const held = share.of(holder);
    this.#add(share, held, -held.bytes, -held.answers);
    held.isCut = true;
    this.#forget(holder, account);
    holder.cut(cause);
  }

  /** Returns the account that holds the most relative to its limit. */
  #largestAccount(): string | undefined {
    let maxRatio = -1;
    let largest: string | undefined;
    for (const [account, { bytes }] of this.#shares) {
      const ratio = bytes / this.#shareOf(account);
      if (ratio <= maxRatio) continue;
      maxRatio = ratio;
      largest = account;
    }
    return largest;
  }

  #shareOf(account: string | undefined): number {
    const { unsent_account_bytes, unsent_anonymous_bytes } = this.#limits();
    return account === undefined ? unsent_anonymous_bytes : unsent_account_bytes;
  }
}

export interface StallOptions {
  /** How long the other end may read nothing. */
  readonly idle_ms: number;
  /** Whether the connection has bytes that the other end does not read. */
  readonly isBlocked: () => boolean;
  readonly onStall: () => void;
}

/** Watches a connection while it holds responses. Having nothing to send yet is not a stall. */
export class StallWatch {
  readonly #options: StallOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StallOptions) {
    this.#options = options;
  }

  /** Starts the watch unless it is running. */
  start(): void {
    this.#timer ??= setTimeout(() => this.#check(), this.#options.idle_ms).unref();
  }

  /** Records that the other end read something. */
  progress(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    if (!this.#options.isBlocked()) {
      this.#timer?.refresh();
      return;
    }
    this.stop();
    this.#options.onStall();
  }
}
