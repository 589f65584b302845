/** Bounds on what callers have yet to take of their answers, in bytes. */
export interface UnsentLimits {
  /** In all. */
  readonly unsent_bytes: number;
  /** Of one account. */
  readonly unsent_account_bytes: number;
  /** Of all connections that showed no valid key, together. */
  readonly unsent_anonymous_bytes: number;
  /** Of one connection. */
  readonly unsent_connection_bytes: number;
}

/**
 * Why a connection is cut: `sum` to keep what all leave unread within its bound, its account being
 * within its own, so that its answers are not charged. All else is the caller's own doing and counts
 * as hanging up: `share` of more unread bytes than the connection or its account may leave; `stalled`
 * of taking nothing for a time; `pipelined` of more requests than may wait for their answers.
 */
export type CutCause = 'sum' | 'share' | 'stalled' | 'pipelined';

/** A connection that holds answers; compared by identity. */
export interface Holder {
  cut(cause: CutCause): void;
}

/** One answer in memory. */
export interface HeldAnswer {
  /** So many of its bytes were taken. */
  taken(bytes: number): void;
  /** It is sent, or lost. May be called again. */
  release(): void;
}

/**
 * What an answer occupies besides its bytes while it waits: its request, its response, its headers.
 * Measured with Node 24: 13 to 16 KB.
 */
export const ANSWER_BYTES = 16_384;

/** What one connection has yet to take on behalf of one account. */
interface Held {
  bytes: number;
  answers: number;
  isCut: boolean;
}

/** What one account, or all anonymous callers together, have yet to take. */
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

  /** The connection that holds most; of equal ones the oldest. */
  largest(): Holder {
    let most = -1;
    let largest: Holder | undefined;
    for (const [holder, { bytes }] of this.#byHolder) {
      if (bytes <= most) continue;
      most = bytes;
      largest = holder;
    }
    return largest!;
  }
}

/**
 * Answers that lie in memory until their callers have taken them: within a bound per connection, per
 * account, for all anonymous callers, and in all. Where a bound is exceeded, the account that holds most
 * relative to its share loses the connection that holds most. A single answer may exceed any bound.
 */
export class UnsentAnswers {
  readonly #limits: () => UnsentLimits;
  /** By account; anonymous callers are under undefined. */
  readonly #shares = new Map<string | undefined, Share>();
  #bytes = 0;
  #answers = 0;

  constructor(limits: () => UnsentLimits) {
    this.#limits = limits;
  }

  /** Bytes held now, in all. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes held now for callers without a valid key. */
  get anonymousBytes(): number {
    return this.#shares.get(undefined)?.bytes ?? 0;
  }

  /**
   * Holds an answer of `bytes` for an account (undefined: an anonymous caller). Bytes of which there is one
   * copy for all callers, such as those of the document, are not counted among them.
   */
  hold(holder: Holder, account: string | undefined, bytes: number): HeldAnswer {
    const share = this.#shares.get(account) ?? new Share();
    this.#shares.set(account, share);
    const held = share.of(holder);
    let left = bytes + ANSWER_BYTES;
    let isOver = false;
    this.#add(share, held, left, 1);
    this.#keepWithin(holder, account);
    return {
      taken: (count) => {
        if (isOver || held.isCut) return;
        const taken = Math.min(count, left - ANSWER_BYTES);
        left -= taken;
        this.#add(share, held, -taken, 0);
      },
      release: () => {
        if (isOver || held.isCut) return;
        isOver = true;
        this.#add(share, held, -left, -1);
        this.#forget(holder, account);
      },
    };
  }

  #add(share: Share, held: Held, bytes: number, answers: number): void {
    share.add(held, bytes, answers);
    this.#bytes += bytes;
    this.#answers += answers;
  }

  /** Keeps no entry for who holds nothing. */
  #forget(holder: Holder, account: string | undefined): void {
    const share = this.#shares.get(account);
    if (share === undefined) return;
    if (share.of(holder).answers === 0) share.drop(holder);
    if (share.answers === 0) this.#shares.delete(account);
  }

  #keepWithin(holder: Holder, account: string | undefined): void {
    const { unsent_bytes, unsent_connection_bytes } = this.#limits();
    const { bytes, answers } = this.#shares.get(account)!.of(holder);
    if (bytes > unsent_connection_bytes && answers > 1) this.#cut(holder, account, 'share');
    for (let share = this.#shares.get(account); share !== undefined;) {
      if (share.bytes <= this.#shareOf(account) || share.answers === 1) break;
      this.#cut(share.largest(), account, 'share');
      share = this.#shares.get(account);
    }
    while (this.#bytes > unsent_bytes && this.#answers > 1) {
      const most = this.#mostOfItsShare();
      this.#cut(this.#shares.get(most)!.largest(), most, 'sum');
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

  #mostOfItsShare(): string | undefined {
    let most = -1;
    let holder: string | undefined;
    for (const [account, { bytes }] of this.#shares) {
      const part = bytes / this.#shareOf(account);
      if (part <= most) continue;
      most = part;
      holder = account;
    }
    return holder;
  }

  #shareOf(account: string | undefined): number {
    const { unsent_account_bytes, unsent_anonymous_bytes } = this.#limits();
    return account === undefined ? unsent_anonymous_bytes : unsent_account_bytes;
  }
}
