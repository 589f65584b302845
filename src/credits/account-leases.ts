import { StoreError } from '../store/database.ts';
import type { LeaseReply, LeaseRequest, LeaseUsage } from '../store/leases.ts';
import type { Clock } from '../time/clock.ts';
import type { Moment } from '../time/moment.ts';
import type { LeaseBatcher, SentReply } from './lease-batcher.ts';
import { Lease } from './lease.ts';
import { STORE_UNAVAILABLE, type Reservation, type Spender } from './ledger.ts';
import { UsageRate } from './usage-rate.ts';
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts';

/** Counts over all accounts since the start. */
export interface LeaseCounts {
  granted: number;
  /** Leases that expired before they were returned. */
  expired: number;
  /** Calls rejected because the account had no credits left. */
  refused: number;
}

/** The rates at which accounts call this instance, and its shares of their rate limits. */
export interface CallRates {
  /** Returns calls per minute; null while unknown. */
  measured(accountId: string): number | null;
  /** Limits this instance to a part of the account's calls per second. */
  share(accountId: string, part: number): void;
}

export interface LeaseOptions {
  readonly batcher: LeaseBatcher;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newLeaseId: () => string;
  readonly callRates: CallRates;
  readonly ttl_ms: number;
  readonly counts: LeaseCounts;
  /** Called with the credits of usage that the store no longer records. */
  readonly onUnrecorded: (credits: number) => void;
  /** Called with the unspent credits of a lease that expired before it was returned, and its day. */
  readonly onLost: (credits: number, day: string) => void;
}

/** The reply for the current lease, and the waiting calls whose costs were in the request. */
export interface LeaseExchange extends SentReply {
  readonly requested: readonly WaitingCall[];
}

/** The leases of one account: the current one, and earlier ones with calls in flight. */
export class AccountLeases {
  readonly #accountId: string;
  readonly #options: LeaseOptions;
  readonly #waiting: WaitingCalls;
  readonly #onReply: (exchange: LeaseExchange) => void;
  readonly #rate: UsageRate;
  #current: Lease;
  #retired: Lease[] = [];
  readonly #renewals = new Map<Lease, Promise<boolean>>();
  /** Whether the last exchange about the current lease failed. */
  #hasFailed = false;
  #isClosed = false;
  /** Increases with every reply of the store. */
  confirmations = 0;
  /** The quota in the last request to the store; a changed quota is requested at once. */
  requestedQuota: number | undefined;

  constructor(
    accountId: string,
    options: LeaseOptions,
    waiting: WaitingCalls,
    onReply: (exchange: LeaseExchange) => void,
  ) {
    this.#accountId = accountId;
    this.#options = options;
    this.#waiting = waiting;
    this.#onReply = onReply;
    this.#rate = new UsageRate(options.ttl_ms, options.clock.monotonic_ms());
    this.#current = new Lease(options.newLeaseId(), accountId);
  }

  get current(): Lease {
    return this.#current;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isIdle(): boolean {
    const isDone = this.#retired.length === 0 && this.#current.isDone;
    return isDone && this.#renewals.size === 0 && !this.#hasFailed;
  }

  get ids(): readonly string[] {
    return this.all().map(({ id }) => id);
  }

  all(): readonly Lease[] {
    return [this.#current, ...this.#retired];
  }

  /** Reserves credits of the current lease; the caller has checked that they can be spent. */
  take({ keyId }: Spender, { method, cost }: Pick<WaitingCall, 'method' | 'cost'>): Reservation {
    this.#rate.add(cost);
    return this.#current.reserve(keyId, method, cost);
  }

  /** Retires the current lease and starts another. */
  replace(): void {
    if (!this.#current.isDone) this.#retired.push(this.#current);
    this.#current = new Lease(this.#options.newLeaseId(), this.#accountId);
  }

  /** Renews the leases that are due, and gives unused credits back to the store. */
  renewDue(now: Moment): void {
    this.#retired = this.#retired.filter((lease) => !lease.isDone);
    for (const lease of this.all()) {
      const isCurrent = lease === this.#current;
      const isFinished = !isCurrent && lease.reserved === 0;
      // An expired lease cannot be renewed, only reported once its last call has ended. A failed
      // exchange is repeated even without calls, or nothing would show that the store is back.
      const isDue =
        isFinished || (!lease.isExpired && ((isCurrent && this.#hasFailed) || lease.isDue(now)));
      if (isDue) void this.renew(lease, { isDue });
    }
  }

  /** Reports all charged calls. Resolves to whether the store has confirmed them. */
  async flush(): Promise<boolean> {
    const confirmed = await Promise.all(
      this.all().map(async (lease) => {
        await this.#renewals.get(lease);
        return lease.hasReport ? this.renew(lease) : true;
      }),
    );
    return confirmed.every(Boolean);
  }

  /** Gives all leases back to the store. Resolves to whether it has confirmed that. */
  async close(): Promise<boolean> {
    this.#isClosed = true;
    this.#waiting.refuseAll(STORE_UNAVAILABLE);
    for (const lease of this.all()) {
      await this.#renewals.get(lease);
      if (!lease.isDone) await this.renew(lease);
    }
    return this.all().every((lease) => lease.isDone);
  }

  /** Returns the usage of a day beyond the first `reports[id]` reports of each lease. */
  usageBeyond(day: string, reports: Readonly<Record<string, number>>): readonly LeaseUsage[] {
    return this.all()
      .filter((lease) => lease.day === day)
      .flatMap((lease) => lease.usageBeyond(reports[lease.id] ?? 0));
  }

  /** Reports and renews a lease, one exchange at a time. Resolves to whether the store replied. */
  renew(lease: Lease, { isDue = false } = {}): Promise<boolean> {
    const running = this.#renewals.get(lease);
    if (running !== undefined) return running;
    const renewal = this.#exchange(lease, isDue).finally(() => {
      this.#renewals.delete(lease);
      // Calls that arrived in the meantime need another reply.
      if (this.#waiting.size > 0 && !this.#isClosed) void this.renew(this.#current);
    });
    this.#renewals.set(lease, renewal);
    return renewal;
  }

  async #exchange(lease: Lease, isDue: boolean): Promise<boolean> {
    const { batcher } = this.#options;
    let requested: readonly WaitingCall[] = [];
    let sent: SentReply;
    try {
      sent = await batcher.send((now) => {
        if (lease === this.#current) requested = this.#waiting.first();
        return this.#write(lease, { now, requested, isDue });
      });
    } catch (error) {
      if (lease === this.#current) this.#hasFailed = true;
      if (error instanceof StoreError && !error.isUncertain) lease.undo();
      if (batcher.isDown) this.#waiting.refuseAll(STORE_UNAVAILABLE);
      return false;
    }
    this.#confirm(lease, sent);
    if (lease === this.#current) this.#onReply({ ...sent, requested });
    return true;
  }

  #write(
    lease: Lease,
    { now, requested, isDue }: { now: Moment; requested: readonly WaitingCall[]; isDue: boolean },
  ): LeaseRequest {
    const isUnused = isDue && lease.isIdle && requested.length === 0;
    this.requestedQuota = requested.at(-1)?.spender.creditsPerDay ?? this.requestedQuota;
    return lease.report(now, {
      needs: requested.map(({ cost }) => cost),
      rate: this.#rate.perMinute(now.monotonic_ms),
      callRate: this.#options.callRates.measured(this.#accountId),
      isClosing: this.#isClosed || lease !== this.#current || isUnused,
    });
  }

  #confirm(lease: Lease, { reply, sentAt }: SentReply): void {
    const { callRates, random, ttl_ms, onUnrecorded } = this.#options;
    if (lease === this.#current) this.#hasFailed = false;
    const unrecorded = reply.state === 'unknown' ? lease.unreported : 0;
    this.#count(lease, reply);
    lease.confirm(reply, sentAt, { ttl_ms, jitter: random() });
    this.confirmations += 1;
    if (reply.state === 'open') callRates.share(this.#accountId, reply.callShare);
    if (unrecorded > 0) onUnrecorded(unrecorded);
    this.#retired = this.#retired.filter((each) => !each.isDone);
  }

  #count(lease: Lease, { state }: LeaseReply): void {
    const { counts, onLost } = this.#options;
    const { day, unspent, isExpired } = lease;
    if (day === undefined && state === 'open') counts.granted += 1;
    if (isExpired || (state !== 'expired' && state !== 'unknown')) return;
    counts.expired += 1;
    if (day !== undefined && unspent > 0 && state === 'expired') onLost(unspent, day);
  }
}
