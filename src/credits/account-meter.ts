import type { LeaseReply } from '../store/leases.ts';
import { endOfDay_ms } from '../time/day.ts';
import { hasPassed, later, readMoment, type Moment } from '../time/moment.ts';
import { AccountLeases, type LeaseExchange, type LeaseOptions } from './account-leases.ts';
import {
  STORE_UNAVAILABLE,
  type Balance,
  type Refusal,
  type Reservation,
  type Reserving,
  type Spender,
} from './ledger.ts';
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts';

export interface MeterLimits {
  readonly ttl_ms: number;
  /** How long a call waits for the store. */
  readonly store_wait_ms: number;
  /** Maximum number of waiting calls per account. */
  readonly waiting_calls: number;
}

export interface MeterOptions extends Omit<LeaseOptions, 'ttl_ms'> {
  readonly limits: MeterLimits;
}

/** How long the store is not asked again, after a rejection, for calls that cost more than is left. */
const REFUSAL_MS = 250;

type Exhausted = Extract<Refusal, { reason: 'credits_exhausted' }>;

/** Meters the calls of one account: reserves credits of its leases, or waits for the store. */
export class AccountMeter {
  readonly leases: AccountLeases;
  readonly #options: MeterOptions;
  readonly #waiting: WaitingCalls;
  #latest: { readonly reply: LeaseReply; readonly resetsAt_ms: number } | undefined;
  #refused: { readonly refusal: Exhausted; readonly until: Moment } | undefined;

  constructor(accountId: string, options: MeterOptions) {
    const { ttl_ms, store_wait_ms, waiting_calls } = options.limits;
    this.#options = options;
    this.#waiting = new WaitingCalls({
      maxCalls: waiting_calls,
      wait_ms: store_wait_ms,
      onTimeout: STORE_UNAVAILABLE,
    });
    this.leases = new AccountLeases(accountId, { ...options, ttl_ms }, this.#waiting, (exchange) =>
      this.#applyReply(exchange),
    );
  }

  /** Whether nothing is held, unreported or waiting. */
  get isIdle(): boolean {
    return this.leases.isIdle && this.#waiting.size === 0;
  }

  get figures(): { leases: number; held: number; reserved: number; waiting: number } {
    const leases = this.leases.all().filter((lease) => !lease.isDone);
    return {
      leases: leases.length,
      held: leases.reduce((sum, { held }) => sum + held, 0),
      reserved: leases.reduce((sum, { reserved }) => sum + reserved, 0),
      waiting: this.#waiting.size,
    };
  }

  /** Whether any credits can be spent without the store. */
  hasCredits(now: Moment): boolean {
    return this.leases.current.available > 0 && this.leases.current.canSpend(now);
  }

  reserve(spender: Spender, method: string, cost: number): Reserving {
    const { leases } = this;
    const { current } = leases;
    const now = readMoment(this.#options.clock);
    const isCovered = cost <= current.available && current.canSpend(now);
    if (!isCovered || spender.creditsPerDay !== leases.requestedQuota || leases.isClosed) {
      return this.#waitForStore({ spender, method, cost }, now);
    }
    const reservation = leases.take(spender, { method, cost });
    if (current.isLow && !this.#options.batcher.isCoolingDown) void leases.renew(current);
    return reservation;
  }

  /** Returns undefined while today's balance is unknown. */
  balance(): Balance | undefined {
    if (this.#latest === undefined) return undefined;
    const { reply, resetsAt_ms } = this.#latest;
    if (this.#options.clock.now_ms() >= resetsAt_ms) return undefined;
    const { allowance, spent, lost } = reply;
    const today = this.leases.all().filter(({ day }) => day === reply.day);
    const used = today.reduce((sum, lease) => sum + lease.unreported + lease.reserved, 0);
    const remaining = Math.max(0, allowance - spent - lost - used);
    return { limit: allowance, remaining, resetsAt_ms };
  }

  #waitForStore(
    call: Pick<WaitingCall, 'spender' | 'method' | 'cost'>,
    now: Moment,
  ): Refusal | Promise<Reservation | Refusal> {
    const { leases } = this;
    const { batcher } = this.#options;
    if (leases.isClosed || (batcher.isDown && batcher.isCoolingDown)) return STORE_UNAVAILABLE;
    const refusal = this.#recentRefusal(call, now);
    if (refusal !== undefined) return refusal;
    const outcome = this.#waiting.add(call);
    if (outcome === undefined) return STORE_UNAVAILABLE;
    if (leases.current.isDayOver(now)) leases.replace();
    void leases.renew(leases.current);
    return outcome;
  }

  #recentRefusal(
    { spender, cost }: Pick<WaitingCall, 'spender' | 'cost'>,
    now: Moment,
  ): Exhausted | undefined {
    const { current, requestedQuota } = this.leases;
    if (this.#refused === undefined || spender.creditsPerDay !== requestedQuota) return undefined;
    if (hasPassed(this.#refused.until, now) || current.isDayOver(now)) return undefined;
    const { refusal } = this.#refused;
    return cost > refusal.remaining ? { ...refusal, cost } : undefined;
  }

  /** Resolves the waiting calls that the current lease covers or that the store rejected. */
  #applyReply({ reply, sentAt, requested }: LeaseExchange): void {
    const { leases } = this;
    const { current } = leases;
    if (current.isExpired || !reply.isToday) return leases.replace();
    this.#latest = { reply, resetsAt_ms: sentAt.now_ms + reply.dayEndsIn_ms };
    this.#refused = undefined;
    const now = readMoment(this.#options.clock);
    if (!current.canSpend(now)) return;
    for (const call of this.#waiting.all()) {
      if (call.cost > current.available) continue;
      this.#waiting.resolve(call, leases.take(call.spender, call));
    }
    const remaining = reply.remaining + current.available;
    for (const call of requested) {
      if (reply.isRepeated || !call.isWaiting || call.cost <= remaining) continue;
      const refusal = {
        reason: 'credits_exhausted' as const,
        cost: call.cost,
        remaining,
        // For callers the day ends at midnight UTC, however far the store's clock deviates.
        resetsAt_ms: endOfDay_ms(reply.day),
      };
      this.#options.counts.refused += 1;
      this.#refused = { refusal, until: later(now, REFUSAL_MS) };
      this.#waiting.resolve(call, refusal);
    }
  }
}
