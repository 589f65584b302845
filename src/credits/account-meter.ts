import { endOfDay_ms } from '../time/day.ts';
import { StoreError } from '../store/database.ts';
import type { LeaseReply, LeaseRequest, LeaseUsage } from '../store/leases.ts';
import type { Clock } from '../time/clock.ts';
import { hasCome, later, readMoment, type Moment } from '../time/moment.ts';
import { Lease } from './lease.ts';
import type { Carried, LeaseCourier } from './lease-courier.ts';
import type { Refusal, Reservation, Spender, Standing } from './ledger.ts';
import { RateOfUse } from './rate-of-use.ts';
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts';

export interface MeterOptions {
  readonly courier: LeaseCourier;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newLeaseId: () => string;
  readonly callRates: CallRates;
  readonly limits: MeterLimits;
  /** Counted up; of all accounts together. */
  readonly counts: LeaseCounts;
  /** The store has forgotten a lease: so many credits of calls made are not written down. */
  readonly onForgotten: (credits: number) => void;
}

/** Leases granted and lost, and calls refused for want of credits. */
export interface LeaseCounts {
  granted: number;
  expired: number;
  refused: number;
}

/** How fast accounts call here, and how fast they may beside other instances. */
export interface CallRates {
  /** Calls a minute; null when that cannot be known yet. */
  measured(accountId: string): number | null;
  /** `part` of what the account may is left to this instance. */
  share(accountId: string, part: number): void;
}

export interface MeterLimits {
  readonly ttl_ms: number;
  /** How long a call waits for the store. */
  readonly store_wait_ms: number;
  /** Calls of one account that wait at one time. */
  readonly waiting_calls: number;
}

/** How long the store's refusal answers for calls that cost as much. */
const REFUSAL_MS = 250;

export const STORE_UNAVAILABLE: Refusal = Object.freeze({ reason: 'store_unavailable' });

type Exhausted = Extract<Refusal, { reason: 'credits_exhausted' }>;

/** Meters one account: spends from a lease, and renews it. */
export class AccountMeter {
  readonly #accountId: string;
  readonly #options: MeterOptions;
  readonly #waiting: WaitingCalls;
  readonly #rate: RateOfUse;
  #lease: Lease;
  /** Leases that ended with calls under way. */
  #retired: Lease[] = [];
  readonly #renewing = new Map<Lease, Promise<boolean>>();
  /** As callers' plans say; when it changes, the store is asked at once. */
  #creditsPerDay: number | undefined;
  #askedCreditsPerDay: number | undefined;
  #newest: { readonly reply: LeaseReply; readonly resetsAt_ms: number } | undefined;
  #refusal: { readonly refusal: Exhausted; readonly until: Moment } | undefined;
  #confirmations = 0;
  /** The last exchange about the current lease failed. */
  #hasFailed = false;
  #isClosed = false;

  constructor(accountId: string, options: MeterOptions) {
    const { limits, clock, newLeaseId } = options;
    this.#accountId = accountId;
    this.#options = options;
    this.#lease = new Lease(newLeaseId(), accountId);
    this.#rate = new RateOfUse(limits.ttl_ms, clock.monotonic_ms());
    this.#waiting = new WaitingCalls({
      most: limits.waiting_calls,
      wait_ms: limits.store_wait_ms,
      onTimeout: STORE_UNAVAILABLE,
    });
  }

  /** Nothing is held, owed or waited for. */
  get isIdle(): boolean {
    const isDone = this.#retired.length === 0 && this.#lease.isDone;
    const isQuiet = this.#renewing.size === 0 && this.#waiting.size === 0;
    return isDone && isQuiet && !this.#hasFailed;
  }

  get figures(): { leases: number; held: number; reserved: number; waiting: number } {
    const leases = this.#leases().filter((lease) => !lease.isDone);
    return {
      leases: leases.length,
      held: leases.reduce((sum, { held }) => sum + held, 0),
      reserved: leases.reduce((sum, { reserved }) => sum + reserved, 0),
      waiting: this.#waiting.size,
    };
  }

  /** Grows with every answer of the store. */
  get confirmations(): number {
    return this.#confirmations;
  }

  /** Whether some call can be paid for without the store. */
  hasCredits(now: Moment): boolean {
    return this.#lease.available > 0 && this.#lease.canSpend(now);
  }

  reserve(
    spender: Spender,
    method: string,
    cost: number,
  ): Reservation | Refusal | Promise<Reservation | Refusal> {
    const lease = this.#lease;
    const now = readMoment(this.#options.clock);
    const isCovered = cost <= lease.available && lease.canSpend(now);
    if (isCovered && spender.creditsPerDay === this.#askedCreditsPerDay && !this.#isClosed) {
      const reservation = this.#take(lease, spender, { method, cost });
      if (lease.isLow && !this.#options.courier.isResting) void this.#renew(lease);
      return reservation;
    }
    return this.#waitForStore(spender, { method, cost, now });
  }

  standing(): Standing | undefined {
    if (this.#newest === undefined) return undefined;
    const { reply, resetsAt_ms } = this.#newest;
    if (this.#options.clock.now_ms() >= resetsAt_ms) return undefined;
    const { allowance, spent, lost } = reply;
    const today = this.#leases().filter(({ day }) => day === reply.day);
    const used = today.reduce((sum, lease) => sum + lease.unreported + lease.reserved, 0);
    const remaining = Math.max(0, allowance - spent - lost - used);
    return { limit: allowance, remaining, resetsAt_ms };
  }

  /** Usage of a day beyond what the store knew when it had done `reports`, by lease. */
  usageBeyond(day: string, reports: Readonly<Record<string, number>>): readonly LeaseUsage[] {
    return this.#leases()
      .filter((lease) => lease.day === day)
      .flatMap((lease) => lease.usageBeyond(reports[lease.id] ?? 0));
  }

  /** Renews what is due; what has not been used is returned. */
  renewDue(now: Moment): void {
    this.#retired = this.#retired.filter((lease) => !lease.isDone);
    for (const lease of this.#leases()) {
      const isLeft = lease !== this.#lease && lease.reserved === 0;
      // What is lost cannot be renewed, only reported once its last call has ended.
      // A failure is followed up, calls or not: otherwise none would show that the store is back.
      const isOwed = lease === this.#lease && this.#hasFailed;
      const isDue = lease.isLost ? isLeft : isLeft || isOwed || lease.isDue(now);
      if (isDue) void this.#renew(lease, { isDue });
    }
  }

  /** Reports all that has been charged. Resolves to whether the store has taken it. */
  async flush(): Promise<boolean> {
    const settled = await Promise.all(
      this.#leases().map(async (lease) => {
        await this.#renewing.get(lease);
        return lease.hasReport ? this.#renew(lease) : true;
      }),
    );
    return settled.every(Boolean);
  }

  /** Takes no more calls and returns everything. Resolves to whether the store has it all. */
  async close(): Promise<boolean> {
    this.#isClosed = true;
    this.#waiting.refuseAll(STORE_UNAVAILABLE);
    for (const lease of this.#leases()) {
      await this.#renewing.get(lease);
      if (!lease.isDone) await this.#renew(lease);
    }
    return this.#leases().every((lease) => lease.isDone);
  }

  #leases(): readonly Lease[] {
    return [this.#lease, ...this.#retired];
  }

  #take(
    lease: Lease,
    { keyId }: Spender,
    { method, cost }: { readonly method: string; readonly cost: number },
  ): Reservation {
    this.#rate.add(cost);
    return lease.reserve(keyId, method, cost);
  }

  #waitForStore(
    spender: Spender,
    { method, cost, now }: { method: string; cost: number; now: Moment },
  ): Refusal | Promise<Reservation | Refusal> {
    const hasChanged = spender.creditsPerDay !== this.#creditsPerDay;
    this.#creditsPerDay = spender.creditsPerDay;
    const { courier } = this.#options;
    if (this.#isClosed || (courier.isDown && courier.isResting)) return STORE_UNAVAILABLE;
    const refused = hasChanged ? undefined : this.#refusedBefore(cost, now);
    if (refused !== undefined) return refused;
    const answer = this.#waiting.add({ spender, method, cost });
    if (answer === undefined) return STORE_UNAVAILABLE;
    if (this.#lease.isDayOver(now)) this.#replaceLease();
    void this.#renew(this.#lease);
    return answer;
  }

  #refusedBefore(cost: number, now: Moment): Exhausted | undefined {
    if (this.#refusal === undefined || hasCome(this.#refusal.until, now)) return undefined;
    if (this.#lease.isDayOver(now)) return undefined;
    const { refusal } = this.#refusal;
    return cost > refusal.remaining ? { ...refusal, cost } : undefined;
  }

  /** Reports and asks; one at a time for a lease. Resolves to whether the store has answered. */
  #renew(lease: Lease, { isDue = false } = {}): Promise<boolean> {
    const underWay = this.#renewing.get(lease);
    if (underWay !== undefined) return underWay;
    const renewing = this.#exchange(lease, isDue).finally(() => {
      this.#renewing.delete(lease);
      // Whoever came meanwhile, or was not served, needs another answer.
      if (this.#waiting.size > 0 && !this.#isClosed) void this.#renew(this.#lease);
    });
    this.#renewing.set(lease, renewing);
    return renewing;
  }

  async #exchange(lease: Lease, isDue: boolean): Promise<boolean> {
    const { courier, limits, random, callRates } = this.#options;
    let asked: readonly WaitingCall[] = [];
    const write = (now: Moment): LeaseRequest => {
      const isCurrent = lease === this.#lease;
      asked = isCurrent ? this.#waiting.first() : [];
      if (isCurrent) this.#askedCreditsPerDay = this.#creditsPerDay;
      const isUnused = isDue && lease.isIdle && asked.length === 0;
      return lease.report(now, {
        needs: asked.map(({ cost }) => cost),
        rate: this.#rate.at(now.monotonic_ms),
        callRate: callRates.measured(this.#accountId),
        isClosing: this.#isClosed || !isCurrent || isUnused,
      });
    };
    let carried: Carried;
    try {
      carried = await courier.carry(write);
    } catch (error) {
      if (lease === this.#lease) this.#hasFailed = true;
      if (error instanceof StoreError && !error.isUncertain) lease.undo();
      if (courier.isDown) this.#waiting.refuseAll(STORE_UNAVAILABLE);
      return false;
    }
    const { reply, sentAt } = carried;
    if (lease === this.#lease) this.#hasFailed = false;
    const lost = reply.state === 'unknown' ? lease.unreported : 0;
    this.#count(lease, reply);
    lease.confirm(reply, sentAt, { ttl_ms: limits.ttl_ms, jitter: random() });
    this.#confirmations += 1;
    if (reply.state === 'open') callRates.share(this.#accountId, reply.callShare);
    if (lost > 0) this.#options.onForgotten(lost);
    this.#retired = this.#retired.filter((each) => !each.isDone);
    if (lease === this.#lease) this.#takeReply(reply, { asked, sentAt });
    return true;
  }

  #count(lease: Lease, { state }: LeaseReply): void {
    const { counts } = this.#options;
    if (lease.day === undefined && state === 'open') counts.granted += 1;
    if (!lease.isLost && (state === 'expired' || state === 'unknown')) counts.expired += 1;
  }

  #takeReply(
    reply: LeaseReply,
    { asked, sentAt }: { readonly asked: readonly WaitingCall[]; readonly sentAt: Moment },
  ): void {
    if (this.#lease.isLost || !reply.isToday) {
      this.#replaceLease();
      return;
    }
    const resetsAt_ms = sentAt.now_ms + reply.dayEndsIn_ms;
    this.#newest = { reply, resetsAt_ms };
    this.#refusal = undefined;
    const now = readMoment(this.#options.clock);
    if (!this.#lease.canSpend(now)) return;
    for (const call of this.#waiting.all()) {
      if (call.cost <= this.#lease.available) {
        this.#waiting.answer(call, this.#take(this.#lease, call.spender, call));
      }
    }
    const remaining = reply.remaining + this.#lease.available;
    for (const call of asked) {
      if (reply.isRepeated || !call.isWaiting || call.cost <= remaining) continue;
      const refusal = {
        reason: 'credits_exhausted' as const,
        cost: call.cost,
        remaining,
        // To the caller the day ends at midnight UTC, however far the two clocks are apart.
        resetsAt_ms: endOfDay_ms(reply.day),
      };
      this.#options.counts.refused += 1;
      this.#refusal = { refusal, until: later(now, REFUSAL_MS) };
      this.#waiting.answer(call, refusal);
    }
  }

  #replaceLease(): void {
    if (!this.#lease.isDone) this.#retired.push(this.#lease);
    this.#lease = new Lease(this.#options.newLeaseId(), this.#accountId);
  }
}
