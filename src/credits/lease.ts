import type { LeaseReply, LeaseRequest, LeaseUsage } from '../store/leases.ts';
import { hasCome, later, type Moment } from '../time/moment.ts';
import type { Reservation } from './ledger.ts';
import { UsageTally } from './usage-tally.ts';

/** What a holder tells of itself when it reports. */
export interface LeaseWish {
  readonly needs: readonly number[];
  readonly rate: number | null;
  readonly callRate: number | null;
  readonly isClosing: boolean;
}

export interface LeaseTimes {
  readonly ttl_ms: number;
  /** Between 0 and 1: when within its time the lease is renewed, so that not all are at once. */
  readonly jitter: number;
}

/** A report on its way, until it is known whether the store has done it. */
interface SentReport {
  readonly usage: readonly LeaseUsage[];
  readonly credits: number;
  readonly returned: number;
}

/** Part of a lease's time in which its holder spends no more, but can still return it. */
const RETURNING_PART = 0.2;
/** Of the time before that: when renewal begins, and how far it is spread. */
const RENEWAL_PART = 0.6;
const RENEWAL_SPREAD = 0.25;
/** A lease with less than this part of its credits left is renewed before they are gone. */
const LOW_PART = 0.15;

/** Credits an account's holder may spend without asking, and what it owes the store of them. */
export class Lease {
  readonly id: string;
  readonly accountId: string;
  #state: 'new' | 'open' | 'returned' | 'expired' | 'unknown' = 'new';
  #day: string | undefined;
  /** Reports the store is known to have done. */
  #reports = 0;
  #held = 0;
  #share = 0;
  #reserved = 0;
  #tally = new UsageTally();
  #sent: SentReport | undefined;
  #endsAt: Moment | undefined;
  #dayEndsAt: Moment | undefined;
  #renewAt: Moment | undefined;
  #lowMark = 0;
  #hasUse = false;

  constructor(id: string, accountId: string) {
    this.id = id;
    this.accountId = accountId;
  }

  /** Undefined until the store has granted it. */
  get day(): string | undefined {
    return this.#day;
  }

  get reports(): number {
    return this.#reports;
  }

  get held(): number {
    return this.#held;
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Credits neither spent, nor reserved, nor on their way back. */
  get available(): number {
    const { credits, returned } = this.#sent ?? { credits: 0, returned: 0 };
    return this.#held - this.#reserved - this.#tally.credits - credits - returned;
  }

  /** Credits spent that the store is not known to know of. */
  get unreported(): number {
    return this.#tally.credits + (this.#sent?.credits ?? 0);
  }

  get isLow(): boolean {
    return this.available < this.#lowMark;
  }

  /** Whether nothing of it has been used since its last report. */
  get isIdle(): boolean {
    return !this.#hasUse && this.#reserved === 0;
  }

  /** Whether the store has been told all, and holds nothing for it any more. */
  get isDone(): boolean {
    if (this.#state === 'unknown') return true;
    const owes = this.#reserved > 0 || !this.#tally.isEmpty || this.#sent !== undefined;
    return !owes && this.#state !== 'open';
  }

  get hasReport(): boolean {
    return this.#state !== 'unknown' && (!this.#tally.isEmpty || this.#sent !== undefined);
  }

  /** Whether it was lost, so that its account needs another. */
  get isLost(): boolean {
    return this.#state === 'expired' || this.#state === 'unknown';
  }

  canSpend(now: Moment): boolean {
    return this.#state === 'open' && this.#endsAt !== undefined && !hasCome(this.#endsAt, now);
  }

  isDayOver(now: Moment): boolean {
    return this.#dayEndsAt !== undefined && hasCome(this.#dayEndsAt, now);
  }

  isDue(now: Moment): boolean {
    return this.#renewAt !== undefined && hasCome(this.#renewAt, now) && !this.isDone;
  }

  /** Sets credits aside; the caller has seen that there are enough, and that they can be spent. */
  reserve(keyId: string, method: string, cost: number): Reservation {
    this.#reserved += cost;
    this.#hasUse = true;
    return {
      credits: cost,
      settle: () => {
        this.#reserved -= cost;
        this.#tally.add(keyId, method, cost);
      },
      release: () => {
        this.#reserved -= cost;
      },
    };
  }

  /**
   * What to tell the store now. Until `confirm` or `undo` the same report is told again, whatever
   * else is wished for: the store may have done it.
   */
  report(now: Moment, wish: LeaseWish): LeaseRequest {
    const { needs, isClosing } = wish;
    if (this.#sent === undefined) {
      const credits = this.#tally.credits;
      const isGivenBack = isClosing || needs.length > 0 || !this.canSpend(now);
      const surplus = Math.max(0, this.#held - credits - this.#share);
      const available = this.#state === 'open' ? this.available : 0;
      const returned = isGivenBack ? available : Math.min(available, surplus);
      this.#sent = { usage: this.#tally.take(), credits, returned };
    }
    const { usage, returned } = this.#sent;
    const { id: leaseId, accountId } = this;
    return { leaseId, accountId, report: this.#reports + 1, usage, returned, ...wish };
  }

  /** The store has answered the report that was sent at `sentAt`. */
  confirm(reply: LeaseReply, sentAt: Moment, { ttl_ms, jitter }: LeaseTimes): void {
    this.#sent = undefined;
    this.#reports += 1;
    this.#state = reply.state;
    this.#day = reply.day;
    this.#held = reply.held;
    this.#share = reply.share;
    this.#hasUse = false;
    const usable_ms = Math.max(0, reply.expiresIn_ms - ttl_ms * RETURNING_PART);
    this.#endsAt = later(sentAt, Math.min(usable_ms, reply.dayEndsIn_ms));
    this.#dayEndsAt = later(sentAt, reply.dayEndsIn_ms);
    this.#renewAt = later(sentAt, usable_ms * (RENEWAL_PART + RENEWAL_SPREAD * jitter));
    this.#lowMark = Math.floor(this.available * LOW_PART);
  }

  /** The store has certainly not done the report: it is as if it had not been made. */
  undo(): void {
    if (this.#sent === undefined) return;
    for (const row of this.#sent.usage) this.#tally.put(row);
    this.#sent = undefined;
  }

  /**
   * Usage the store did not know of when it had done `stored` reports, if `reports` is what it still
   * was then.
   */
  usageBeyond(stored: number): readonly LeaseUsage[] {
    const sent = stored > this.#reports ? [] : (this.#sent?.usage ?? []);
    return [...sent, ...this.#tally.rows()];
  }
}
