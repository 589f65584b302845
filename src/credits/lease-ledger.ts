import { endOfDay_ms } from '../time/day.ts';
import { randomUUID } from 'node:crypto';
import type { DayReport, LeaseBatch, LeaseReply } from '../store/leases.ts';
import { StoreError } from '../store/database.ts';
import { mergeUsage } from '../store/operations/usage.ts';
import type { Clock } from '../time/clock.ts';
import { hasCome, later, readMoment, type Moment } from '../time/moment.ts';
import { TimeoutError, within } from '../time/within.ts';
import {
  AccountMeter,
  STORE_UNAVAILABLE,
  type CallRates,
  type MeterLimits,
} from './account-meter.ts';
import { LeaseCourier } from './lease-courier.ts';
import type { StoreHealth } from './store-health.ts';
import type { Ledger, Refusal, Reservation, Spender, Standing, UsageReport } from './ledger.ts';

/** Where credits are kept. */
export interface LeaseStore {
  renewLeases(batch: LeaseBatch): Promise<readonly LeaseReply[]>;
  closeExpiredLeases(args: null): Promise<number>;
  readToday(accountId: string): Promise<DayReport>;
}

export interface LedgerLimits extends MeterLimits {
  /** The most a call can cost. */
  readonly max_call_credits: number;
}

export interface LedgerOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly limits: LedgerLimits;
  /** Shared out among instances as the leases are. */
  readonly callRates: CallRates;
  /** The store failed in the background, or does not know a lease any more. */
  readonly onFailure: (error: unknown) => void;
  /** Hears of every call that got its credits, or was refused for want of the store. */
  readonly health?: Pick<StoreHealth, 'onServed' | 'onRefused'>;
  /** Between 0 and 1. */
  readonly random?: () => number;
}

/** What the ledger holds in memory, summed up. */
export interface LedgerFigures {
  readonly accounts: number;
  readonly leases: number;
  readonly held_credits: number;
  readonly reserved_credits: number;
  readonly waiting_calls: number;
  /** Since the start: leases granted, lost unreturned, left behind by others and closed here. */
  readonly granted: number;
  readonly expired: number;
  readonly closed: number;
  /** Calls the store refused credits for. */
  readonly refused: number;
  /** Credits of calls answered that the store would no longer take note of. */
  readonly unrecorded_credits: number;
}

/** Readings that a report overtook are made again, so often. */
const MOST_READINGS = 3;
const MOST_CLOSINGS = 3;
const NOT_RETURNED =
  'not all leases could be returned to the store; what they hold is lost once they expire';

/**
 * The ledger of one gateway among others on the same store. Each account's credits are leased from
 * the store in slices and spent in memory, so that hardly any call waits. What the store knows is as
 * old as a lease lives, at most. `renewDue` must be called several times within that time.
 */
export class LeaseLedger implements Ledger {
  readonly #options: LedgerOptions;
  readonly #courier: LeaseCourier;
  readonly #meters = new Map<string, AccountMeter>();
  readonly #random: () => number;
  readonly #counts = { granted: 0, expired: 0, closed: 0, refused: 0, unrecorded_credits: 0 };
  #closeExpiredAt: Moment;
  #isClosed = false;

  constructor(options: LedgerOptions) {
    const { store, clock, limits, onFailure, random = Math.random } = options;
    const { ttl_ms, max_call_credits } = limits;
    this.#options = options;
    this.#random = random;
    this.#courier = new LeaseCourier({
      renewLeases: (batch) => store.renewLeases(batch),
      terms: { ttl_ms, max_call_credits },
      clock,
      onFailure,
    });
    this.#closeExpiredAt = later(readMoment(clock), ttl_ms * random());
  }

  get figures(): LedgerFigures {
    const figures = [...this.#meters.values()].map((meter) => meter.figures);
    const sum = (name: 'leases' | 'held' | 'reserved' | 'waiting'): number =>
      figures.reduce((total, each) => total + each[name], 0);
    return {
      accounts: figures.length,
      leases: sum('leases'),
      held_credits: sum('held'),
      reserved_credits: sum('reserved'),
      waiting_calls: sum('waiting'),
      ...this.#counts,
    };
  }

  reserve(
    spender: Spender,
    method: string,
    cost: number,
  ): Reservation | Refusal | Promise<Reservation | Refusal> {
    if (this.#isClosed) return STORE_UNAVAILABLE;
    const reserving = this.#meterOf(spender.accountId).reserve(spender, method, cost);
    return reserving instanceof Promise
      ? reserving.then((answer) => this.#note(answer))
      : this.#note(reserving);
  }

  /** Whether some account's lease can be spent without the store. */
  get hasCredits(): boolean {
    const now = readMoment(this.#options.clock);
    return [...this.#meters.values()].some((meter) => meter.hasCredits(now));
  }

  standing({ accountId }: Spender): Standing | undefined {
    return this.#meters.get(accountId)?.standing();
  }

  async usage({ accountId }: Spender): Promise<UsageReport> {
    const { store, limits } = this.#options;
    for (let reading = 1; ; reading += 1) {
      const meter = this.#meters.get(accountId);
      const before = meter?.confirmations;
      const { day, allowance, lost, ...read } = await within(
        limits.store_wait_ms,
        store.readToday(accountId),
      );
      const isOvertaken = this.#meters.get(accountId) !== meter || meter?.confirmations !== before;
      if (isOvertaken && reading < MOST_READINGS) continue;
      const beyond = meter?.usageBeyond(day, read.reports) ?? [];
      const rows = mergeUsage([
        ...read.usage,
        ...beyond.map((row) => ({ accountId, day, ...row })),
      ]);
      const used = rows.reduce((sum, { credits }) => sum + credits, 0);
      const remaining = Math.max(0, allowance - used - lost);
      return {
        day,
        limit: allowance,
        used,
        lost,
        remaining,
        resetsAt_ms: endOfDay_ms(day),
        rows,
      };
    }
  }

  /** Renews leases before they end, returns those not used, and closes what others left behind. */
  renewDue(): void {
    const now = readMoment(this.#options.clock);
    if (this.#courier.isResting || this.#isClosed) return;
    for (const [accountId, meter] of this.#meters) {
      if (meter.isIdle) this.#meters.delete(accountId);
      else meter.renewDue(now);
    }
    if (hasCome(this.#closeExpiredAt, now)) void this.#closeExpired(now);
  }

  async #closeExpired(now: Moment): Promise<void> {
    const { store, limits, onFailure } = this.#options;
    this.#closeExpiredAt = later(now, limits.ttl_ms * (0.5 + this.#random()));
    try {
      const closed = await store.closeExpiredLeases(null);
      this.#counts.closed += closed;
      // There may be more than are closed in one go.
      if (closed > 0) this.#closeExpiredAt = now;
    } catch (error) {
      this.#closeExpiredAt = now;
      onFailure(error);
    }
  }

  async flush(): Promise<void> {
    const done = await Promise.all([...this.#meters.values()].map((meter) => meter.flush()));
    if (!done.every(Boolean)) throw new StoreError('not all usage could be written');
  }

  /**
   * Refuses calls from now on and returns every lease. Rejects when the store does not take them in
   * time; then they are lost once theirs is over.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const limit_ms = MOST_CLOSINGS * this.#options.limits.store_wait_ms;
    await within(limit_ms, this.#returnAll()).catch((error: unknown) => {
      throw error instanceof TimeoutError ? new StoreError(NOT_RETURNED) : error;
    });
  }

  async #returnAll(): Promise<void> {
    for (let attempt = 1; attempt <= MOST_CLOSINGS; attempt += 1) {
      const done = await Promise.all([...this.#meters.values()].map((meter) => meter.close()));
      if (done.every(Boolean)) return;
    }
    throw new StoreError(NOT_RETURNED);
  }

  #note(answer: Reservation | Refusal): Reservation | Refusal {
    const { health } = this.#options;
    if (!('reason' in answer)) health?.onServed();
    else if (answer.reason === 'store_unavailable') health?.onRefused();
    return answer;
  }

  #meterOf(accountId: string): AccountMeter {
    let meter = this.#meters.get(accountId);
    if (meter === undefined) {
      const { clock, limits, callRates, onFailure } = this.#options;
      meter = new AccountMeter(accountId, {
        callRates,
        courier: this.#courier,
        clock,
        limits,
        random: this.#random,
        newLeaseId: randomUUID,
        counts: this.#counts,
        onForgotten: (credits) => {
          this.#counts.unrecorded_credits += credits;
          onFailure(new StoreError(`a lease came back too late: ${credits} credits not recorded`));
        },
      });
      this.#meters.set(accountId, meter);
    }
    return meter;
  }
}
