import type { LeaseBatch, LeaseReply, LeaseRequest } from '../../src/store/leases.ts';
import {
  settleLease,
  type Balance,
  type LeaseRow,
} from '../../src/store/operations/settle-lease.ts';
import { endOfDay_ms, utcDay } from '../../src/time/day.ts';

interface AccountDay {
  balance: Balance;
  readonly open: Map<string, LeaseRow>;
}

type Terms = Omit<LeaseBatch, 'requests'>;

/** Maximum number of account days per closeExpiredLeases, as in src/store/operations. */
const MAX_DAYS = 32;
/** Accounts are found by when a lease of them expires, at this precision. */
const BUCKET_MS = 100;

export interface SimulatedStoreOptions {
  readonly allowanceOf: (accountId: string) => number;
  /** Credits that the account has spent when its day is first used. */
  readonly spentOf: (accountId: string) => number;
  /** Called with what an expired lease held. */
  readonly onExpired: (leaseId: string, held: number) => void;
}

/**
 * The lease operations of a store, in memory: the same decisions (`settleLease`) on maps instead of
 * tables. A test replays a simulation on SQLite and compares every reply.
 */
export class SimulatedStore {
  /** `rows`: leases read. `leased`: held by open leases, whatever of it is spent already. */
  readonly totals = { spent: 0, lost: 0, leased: 0, batches: 0, requests: 0, rows: 0, closings: 0 };
  readonly #options: SimulatedStoreOptions;
  readonly #days = new Map<string, AccountDay>();
  /** Leases that are returned or expired. */
  readonly #closed = new Map<string, LeaseRow>();
  readonly #dayOfLease = new Map<string, string>();
  readonly #expiring = new Map<number, Set<AccountDay>>();
  #firstBucket = Infinity;

  constructor(options: SimulatedStoreOptions) {
    this.#options = options;
  }

  renewLeases({ requests, ...terms }: LeaseBatch, now_ms: number): readonly LeaseReply[] {
    this.totals.batches += 1;
    this.totals.requests += requests.length;
    const keyOf = ({ accountId, leaseId }: LeaseRequest): string => `${accountId}\n${leaseId}`;
    const ordered = requests.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const replies = new Map<string, LeaseReply>();
    for (const request of ordered) {
      replies.set(request.leaseId, this.#renew(request, now_ms, terms));
    }
    return requests.map(({ leaseId }) => replies.get(leaseId)!);
  }

  /** Closes expired leases of a limited number of account days; returns that number. */
  closeExpiredLeases(now_ms: number): number {
    this.totals.closings += 1;
    const current = Math.floor(now_ms / BUCKET_MS);
    let closed = 0;
    for (; this.#firstBucket < current; this.#firstBucket += 1) {
      const days = this.#expiring.get(this.#firstBucket) ?? new Set();
      for (const day of days) {
        if (closed === MAX_DAYS) return closed;
        if (this.#closeExpired(day, now_ms)) closed += 1;
        days.delete(day);
      }
      this.#expiring.delete(this.#firstBucket);
    }
    return closed;
  }

  #renew(request: LeaseRequest, now_ms: number, terms: Terms): LeaseReply {
    const { accountId, leaseId } = request;
    const today = utcDay(now_ms);
    const day = this.#dayOfLease.get(leaseId) ?? today;
    const of = this.#dayOf(accountId, day);
    this.#closeExpired(of, now_ms);
    const closed = this.#closed.get(leaseId);
    const leases = [...of.open.values(), ...(closed === undefined ? [] : [closed])];
    this.totals.rows += leases.length;
    const state = {
      day,
      isToday: day === today,
      dayEndsIn_ms: Math.max(0, endOfDay_ms(day) - now_ms),
      now_ms,
      allowance: this.#options.allowanceOf(accountId),
      balance: of.balance,
      leases,
    };
    const { reply, balance, lease } = settleLease(state, request, terms);
    this.totals.spent += balance.spent - of.balance.spent;
    this.totals.lost += balance.lost - of.balance.lost;
    of.balance = balance;
    if (lease !== undefined) {
      this.#dayOfLease.set(leaseId, day);
      this.#put(of, lease);
    }
    return reply;
  }

  #dayOf(accountId: string, day: string): AccountDay {
    const key = `${day} ${accountId}`;
    let of = this.#days.get(key);
    if (of === undefined) {
      const balance = { spent: this.#options.spentOf(accountId), lost: 0 };
      of = { balance, open: new Map() };
      this.#days.set(key, of);
    }
    return of;
  }

  #put(of: AccountDay, lease: LeaseRow): void {
    this.totals.leased -= of.open.get(lease.id)?.held ?? 0;
    if (lease.state !== 'open') {
      of.open.delete(lease.id);
      this.#closed.set(lease.id, lease);
      return;
    }
    this.totals.leased += lease.held;
    of.open.set(lease.id, lease);
    const bucket = Math.floor(lease.expiresAt_ms / BUCKET_MS);
    this.#firstBucket = Math.min(this.#firstBucket, bucket);
    const days = this.#expiring.get(bucket);
    if (days === undefined) this.#expiring.set(bucket, new Set([of]));
    else days.add(of);
  }

  /** What an expired lease held is lost. Returns whether there was one. */
  #closeExpired(of: AccountDay, now_ms: number): boolean {
    const expired = [...of.open.values()].filter(({ expiresAt_ms }) => expiresAt_ms <= now_ms);
    for (const lease of expired) {
      this.#put(of, { ...lease, state: 'expired' });
      of.balance = { ...of.balance, lost: of.balance.lost + lease.held };
      this.totals.lost += lease.held;
      this.#options.onExpired(lease.id, lease.held);
    }
    return expired.length > 0;
  }
}
