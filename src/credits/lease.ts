import type { LeaseReply, LeaseRequest, LeaseUsage } from '../store/leases.ts';
import { hasPassed, later, type Moment } from '../time/moment.ts';
import type { Reservation } from './ledger.ts';
import { UsageTally } from './usage-tally.ts';

/** The part of a request that does not depend on the lease. */
export type LeaseNeeds = Pick<LeaseRequest, 'needs' | 'rate' | 'callRate' | 'isClosing'>;

export interface RenewalTimes {
  readonly ttl_ms: number;
  /** Between 0 and 1: spreads the renewals of several leases over time. */
  readonly jitter: number;
}

/** A report that the store may not have applied yet. */
interface SentReport {
  readonly usage: readonly LeaseUsage[];
  readonly credits: number;
  readonly returned: number;
}

/** What the store last granted. */
interface Granted extends Pick<LeaseReply, 'state' | 'day' | 'held' | 'share'> {
  readonly endsAt: Moment;
  readonly dayEndsAt: Moment;
  readonly renewAt: Moment;
  /** Below this many available credits the lease is renewed. */
  readonly lowMark: number;
}

/** Fraction of a lease's life in which it is no longer spent but can still be returned. */
const RETURNING_PART = 0.2;
/** Start of the renewal and its random spread, as fractions of the usable part of a lease's life. */
const RENEWAL_PART = 0.6;
const RENEWAL_SPREAD = 0.25;
/** Fraction of available credits below which a lease is renewed early. */
const LOW_PART = 0.15;

/** A leased slice of an account's daily credits, and the usage not reported to the store yet. */
export class Lease {
  readonly id: string;
  readonly accountId: string;
  #granted: Granted | undefined;
  /** Number of reports that the store has applied. */
  #reports = 0;
  #reserved = 0;
  readonly #tally = new UsageTally();
  #sent: SentReport | undefined;
  #hasUse = false;

  constructor(id: string, accountId: string) {
    this.id = id;
    this.accountId = accountId;
  }

  /** Undefined until the store has granted the lease. */
  get day(): string | undefined {
    return this.#granted?.day;
  }

  get held(): number {
    return this.#granted?.held ?? 0;
  }

  get reserved(): number {
    return this.#reserved;
  }

  /** Credits neither spent nor reserved. */
  get unspent(): number {
    return this.held - this.#reserved - this.unreported;
  }

  /** Unspent credits that are not being returned. */
  get available(): number {
    return this.unspent - (this.#sent?.returned ?? 0);
  }

  /** Credits spent that the store has not confirmed. */
  get unreported(): number {
    return this.#tally.credits + (this.#sent?.credits ?? 0);
  }

  get isLow(): boolean {
    return this.available < (this.#granted?.lowMark ?? 0);
  }

  /** Whether the lease has not been used since its last report. */
  get isIdle(): boolean {
    return !this.#hasUse && this.#reserved === 0;
  }

  /** Whether everything is reported and returned. */
  get isDone(): boolean {
    if (this.#granted?.state === 'unknown') return true;
    return this.#reserved === 0 && !this.hasReport && this.#granted?.state !== 'open';
  }

  get hasReport(): boolean {
    return this.#granted?.state !== 'unknown' && (!this.#tally.isEmpty || this.#sent !== undefined);
  }

  get isExpired(): boolean {
    return this.#granted?.state === 'expired' || this.#granted?.state === 'unknown';
  }

  canSpend(now: Moment): boolean {
    return this.#granted?.state === 'open' && !hasPassed(this.#granted.endsAt, now);
  }

  isDayOver(now: Moment): boolean {
    return this.#granted !== undefined && hasPassed(this.#granted.dayEndsAt, now);
  }

  isDue(now: Moment): boolean {
    return this.#granted !== undefined && hasPassed(this.#granted.renewAt, now) && !this.isDone;
  }

  /** Reserves credits; the caller has checked `available` and `canSpend`. */
  reserve(keyId: string, method: string, cost: number): Reservation {
    this.#reserved += cost;
    this.#hasUse = true;
    return {
      credits: cost,
      settle: () => {
        this.#reserved -= cost;
        this.#tally.add({ keyId, method, calls: 1, credits: cost });
      },
      release: () => {
        this.#reserved -= cost;
      },
    };
  }

  /**
   * Writes the next request. Until `confirm` or `undo` it repeats the same report, since the store may
   * have applied it.
   */
  report(now: Moment, needs: LeaseNeeds): LeaseRequest {
    this.#sent ??= this.#nextReport(now, needs);
    const { usage, returned } = this.#sent;
    const { id: leaseId, accountId } = this;
    return { leaseId, accountId, report: this.#reports + 1, usage, returned, ...needs };
  }

  #nextReport(now: Moment, { needs, isClosing }: LeaseNeeds): SentReport {
    const { credits } = this.#tally;
    const returnsAll = isClosing || needs.length > 0 || !this.canSpend(now);
    const surplus = Math.max(0, this.held - credits - (this.#granted?.share ?? 0));
    const available = this.#granted?.state === 'open' ? this.available : 0;
    const returned = returnsAll ? available : Math.min(available, surplus);
    return { usage: this.#tally.take(), credits, returned };
  }

  /** Applies the store's reply to the report sent at `sentAt`. */
  confirm(reply: LeaseReply, sentAt: Moment, { ttl_ms, jitter }: RenewalTimes): void {
    this.#sent = undefined;
    this.#reports += 1;
    this.#hasUse = false;
    const { state, day, held, share, dayEndsIn_ms } = reply;
    const usable_ms = Math.max(0, reply.expiresIn_ms - ttl_ms * RETURNING_PART);
    this.#granted = {
      state,
      day,
      held,
      share,
      endsAt: later(sentAt, Math.min(usable_ms, dayEndsIn_ms)),
      dayEndsAt: later(sentAt, dayEndsIn_ms),
      renewAt: later(sentAt, usable_ms * (RENEWAL_PART + RENEWAL_SPREAD * jitter)),
      lowMark: Math.floor((held - this.#reserved - this.#tally.credits) * LOW_PART),
    };
  }

  /** Takes back a report that the store has certainly not applied. */
  undo(): void {
    for (const row of this.#sent?.usage ?? []) this.#tally.add(row);
    this.#sent = undefined;
  }

  /** Returns the usage beyond the first `stored` reports of this lease. */
  usageBeyond(stored: number): readonly LeaseUsage[] {
    const sent = stored > this.#reports ? [] : (this.#sent?.usage ?? []);
    return [...sent, ...this.#tally.rows()];
  }
}
