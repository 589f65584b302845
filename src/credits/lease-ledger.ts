import { randomUUID } from 'node:crypto';
import { StoreError } from '../store/database.ts';
import type { DayQuery, DayReport, LeaseBatch, LeaseReply } from '../store/leases.ts';
import { mergeUsage } from '../store/operations/usage.ts';
import type { Clock } from '../time/clock.ts';
import { endOfDay_ms } from '../time/day.ts';
import { hasPassed, later, readMoment, type Moment } from '../time/moment.ts';
import { TimeoutError, within } from '../time/within.ts';
import type { CallRates } from './account-leases.ts';
import { AccountMeter, type MeterLimits } from './account-meter.ts';
import { LeaseBatcher } from './lease-batcher.ts';
import {
  STORE_UNAVAILABLE,
  type Balance,
  type Ledger,
  type Refusal,
  type Reservation,
  type Reserving,
  type Spender,
  type UsageReport,
} from './ledger.ts';
import type { StoreHealth } from './store-health.ts';

/** The operations of a store that a ledger needs. */
export interface LeaseStore {
  renewLeases(batch: LeaseBatch): Promise<readonly LeaseReply[]>;
  closeExpiredLeases(args: null): Promise<number>;
  readToday(query: DayQuery): Promise<DayReport>;
}

export interface LedgerLimits extends MeterLimits {
  /** Cost of the most expensive call. */
  readonly max_call_credits: number;
}

export interface LedgerOptions {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly limits: LedgerLimits;
  readonly callRates: CallRates;
  /** Called when the store fails in the background or has deleted a lease. */
  readonly onFailure: (error: unknown) => void;
  readonly health?: Pick<StoreHealth, 'onServed' | 'onRefused'>;
  /** Returns a number between 0 and 1. */
  readonly random?: () => number;
}

/** Totals over all accounts. */
export interface LedgerFigures {
  readonly accounts: number;
  readonly leases: number;
  readonly held_credits: number;
  readonly reserved_credits: number;
  readonly waiting_calls: number;
  /** Since the start: leases granted, leases expired, expired leases of other gateways closed. */
  readonly granted: number;
  readonly expired: number;
  readonly closed: number;
  /** Calls rejected because the account had no credits left. */
  readonly refused: number;
  /** Credits of completed calls that the store no longer records. */
  readonly unrecorded_credits: number;
}

/** Maximum number of readings: a reading is repeated if the store confirmed a report in the meantime. */
const MAX_READINGS = 3;
const MAX_CLOSINGS = 3;
const NOT_RETURNED =
  'not all leases were returned to the store; their unspent credits are lost when they expire';
const LOST = 'leases of today expired before they were returned; their unspent credits are lost';

/**
 * The ledger of one gateway among several on the same store. Leases slices of each account's credits
 * and spends them in memory, so that few calls wait for the store. The store is behind by at most the
 * life of a lease. `renewDue` must be called several times within the life of a lease.
 */
export class LeaseLedger implements Ledger {
  readonly #options: LedgerOptions;
  readonly #batcher: LeaseBatcher;
  readonly #meters = new Map<string, AccountMeter>();
  /** Readings in progress, by account. */
  readonly #readings = new Map<string, Promise<UsageReport>>();
  readonly #random: () => number;
  readonly #counts = { granted: 0, expired: 0, closed: 0, refused: 0, unrecorded_credits: 0 };
  #closeExpiredAt: Moment;
  /** The latest day on which a lease expired with unspent credits. */
  #lostOn: string | undefined;
  #isClosed = false;

  constructor(options: LedgerOptions) {
    const { store, clock, limits, onFailure, random = Math.random } = options;
    const { ttl_ms, max_call_credits } = limits;
    this.#options = options;
    this.#random = random;
    this.#batcher = new LeaseBatcher({
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

  /** Whether any account's lease can be spent without the store. */
  get hasCredits(): boolean {
    const now = readMoment(this.#options.clock);
    return [...this.#meters.values()].some((meter) => meter.hasCredits(now));
  }

  reserve(spender: Spender, method: string, cost: number): Reserving {
    if (this.#isClosed) return STORE_UNAVAILABLE;
    const reserving = this.#meterOf(spender.accountId).reserve(spender, method, cost);
    return reserving instanceof Promise
      ? reserving.then((outcome) => this.#noteHealth(outcome))
      : this.#noteHealth(reserving);
  }

  balance({ accountId }: Spender): Balance | undefined {
    return this.#meters.get(accountId)?.balance();
  }

  /** Concurrent callers share the reading of an account; its result is current when the reading ends. */
  async usage({ accountId }: Spender): Promise<UsageReport> {
    const running = this.#readings.get(accountId);
    if (running !== undefined) return running;
    const reading = this.#readUsage(accountId).finally(() => this.#readings.delete(accountId));
    this.#readings.set(accountId, reading);
    return reading;
  }

  async #readUsage(accountId: string): Promise<UsageReport> {
    const { store, limits } = this.#options;
    for (let reading = 1; ; reading += 1) {
      const leases = this.#meters.get(accountId)?.leases;
      const before = leases?.confirmations;
      const query = { accountId, leaseIds: leases?.ids ?? [] };
      const report = await within(limits.store_wait_ms, store.readToday(query));
      const isOutdated =
        this.#meters.get(accountId)?.leases !== leases || leases?.confirmations !== before;
      if (isOutdated && reading < MAX_READINGS) continue;
      const { day, allowance, lost } = report;
      const unreported = leases?.usageBeyond(day, report.reports) ?? [];
      const rows = mergeUsage([
        ...report.usage,
        ...unreported.map((row) => ({ accountId, day, ...row })),
      ]);
      const used = rows.reduce((sum, { credits }) => sum + credits, 0);
      const remaining = Math.max(0, allowance - used - lost);
      const resetsAt_ms = endOfDay_ms(day);
      return { day, limit: allowance, used, lost, remaining, resetsAt_ms, rows };
    }
  }

  /** Renews leases before they end, returns unused ones and closes expired ones of any gateway. */
  renewDue(): void {
    const now = readMoment(this.#options.clock);
    if (this.#batcher.isCoolingDown || this.#isClosed) return;
    for (const [accountId, meter] of this.#meters) {
      if (meter.isIdle) this.#meters.delete(accountId);
      else meter.leases.renewDue(now);
    }
    if (hasPassed(this.#closeExpiredAt, now)) void this.#closeExpired(now);
  }

  async #closeExpired(now: Moment): Promise<void> {
    const { store, limits, onFailure } = this.#options;
    this.#closeExpiredAt = later(now, limits.ttl_ms * (0.5 + this.#random()));
    try {
      const closed = await store.closeExpiredLeases(null);
      this.#counts.closed += closed;
      // One run is limited, so there may be more.
      if (closed > 0) this.#closeExpiredAt = now;
    } catch (error) {
      this.#closeExpiredAt = now;
      onFailure(error);
    }
  }

  async flush(): Promise<void> {
    const done = await Promise.all([...this.#meters.values()].map(({ leases }) => leases.flush()));
    if (!done.every(Boolean)) throw new StoreError('not all usage could be written');
  }

  /**
   * Rejects further calls and returns all leases. Throws a StoreError if the store does not confirm in
   * time; the leases then expire. Also throws one if leases of the day expired before, e.g. in a pause.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const timeout_ms = MAX_CLOSINGS * this.#options.limits.store_wait_ms;
    await within(timeout_ms, this.#returnAll()).catch((error: unknown) => {
      throw error instanceof TimeoutError ? new StoreError(NOT_RETURNED) : error;
    });
    if (this.#lostOn !== undefined && this.#isToday(this.#lostOn)) throw new StoreError(LOST);
  }

  #isToday(day: string): boolean {
    return this.#options.clock.now_ms() < endOfDay_ms(day);
  }

  async #returnAll(): Promise<void> {
    for (let attempt = 1; attempt <= MAX_CLOSINGS; attempt += 1) {
      const meters = [...this.#meters.values()];
      const done = await Promise.all(meters.map(({ leases }) => leases.close()));
      if (done.every(Boolean)) return;
    }
    throw new StoreError(NOT_RETURNED);
  }

  #noteHealth(outcome: Reservation | Refusal): Reservation | Refusal {
    const { health } = this.#options;
    if (!('reason' in outcome)) health?.onServed();
    else if (outcome.reason === 'store_unavailable') health?.onRefused();
    return outcome;
  }

  #meterOf(accountId: string): AccountMeter {
    let meter = this.#meters.get(accountId);
    if (meter === undefined) {
      const { clock, limits, callRates, onFailure } = this.#options;
      meter = new AccountMeter(accountId, {
        callRates,
        batcher: this.#batcher,
        clock,
        limits,
        random: this.#random,
        newLeaseId: randomUUID,
        counts: this.#counts,
        onLost: (credits, day) => {
          // Those of a day that is over can no longer be spent anyway.
          if (!this.#isToday(day)) return;
          this.#lostOn = day;
          onFailure(
            new StoreError(`a lease expired before it was returned: ${credits} credits are lost`),
          );
        },
        onUnrecorded: (credits) => {
          this.#counts.unrecorded_credits += credits;
          onFailure(
            new StoreError(`a lease was reported too late: ${credits} credits not recorded`),
          );
        },
      });
      this.#meters.set(accountId, meter);
    }
    return meter;
  }
}
