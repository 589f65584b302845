import type { AccountDay } from '../store/operations/usage.ts';
import type { UsageRow } from '../store/records.ts';
import type { Clock } from '../time/clock.ts';
import { within } from '../time/within.ts';
import { endOfDay_ms, utcDay } from '../time/day.ts';
import type { Ledger, Refusal, Reservation, Spender, Standing, UsageReport } from './ledger.ts';
import { mergeRows, UsageBuffer } from './usage-buffer.ts';

/** Where spent credits are kept. */
export interface UsageStore {
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  usageOf(of: AccountDay): Promise<readonly UsageRow[]>;
  creditsSpent(of: AccountDay): Promise<number>;
}

export interface LedgerLimits {
  /** Rows of usage held in memory while the store does not take them; then calls are refused. */
  readonly usage_rows: number;
  /** How long a call waits for the store before it is refused. */
  readonly store_wait_ms: number;
}

/** What an account has spent and set aside on one day. */
interface Balance {
  spent: number;
  reserved: number;
}

const STORE_UNAVAILABLE: Refusal = { reason: 'store_unavailable' };

/**
 * The ledger of a gateway that is alone on its store: balances live in memory, usage is written in
 * batches. Exact once flushed; a process that dies loses what it had not flushed.
 */
export class DailyLedger implements Ledger {
  readonly #store: UsageStore;
  readonly #clock: Clock;
  readonly #limits: LedgerLimits;
  readonly #usage: UsageBuffer;
  #day = '';
  #dayEndsAt_ms = 0;
  /** Of today, by account; a promise while the store is being asked. */
  #balances = new Map<string, Balance | Promise<Balance>>();

  constructor(store: UsageStore, clock: Clock, limits: LedgerLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
    this.#usage = new UsageBuffer((rows) => store.addUsage(rows));
  }

  reserve(
    spender: Spender,
    method: string,
    cost: number,
  ): Reservation | Refusal | Promise<Reservation | Refusal> {
    const day = this.#today();
    if (this.#usage.size >= this.#limits.usage_rows) return STORE_UNAVAILABLE;
    const balance = this.#balances.get(spender.accountId) ?? this.#load(spender.accountId, day);
    if (!(balance instanceof Promise)) return this.#setAside(balance, { spender, method, cost });
    return within(this.#limits.store_wait_ms, balance).then(
      (loaded) =>
        day === this.#today()
          ? this.#setAside(loaded, { spender, method, cost })
          : this.reserve(spender, method, cost),
      () => STORE_UNAVAILABLE,
    );
  }

  standing({ accountId, creditsPerDay }: Spender): Standing | undefined {
    this.#today();
    const balance = this.#balances.get(accountId);
    if (balance === undefined || balance instanceof Promise) return undefined;
    const remaining = Math.max(0, creditsPerDay - balance.spent - balance.reserved);
    return { limit: creditsPerDay, remaining, resetsAt_ms: this.#dayEndsAt_ms };
  }

  async usage({ accountId, creditsPerDay }: Spender): Promise<UsageReport> {
    const day = this.#today();
    const stored = await within(
      this.#limits.store_wait_ms,
      this.#store.usageOf({ accountId, day }),
    );
    const rows = mergeRows([...stored, ...this.#usage.pending(accountId, day)]);
    const used = rows.reduce((sum, { credits }) => sum + credits, 0);
    const remaining = Math.max(0, creditsPerDay - used);
    const resetsAt_ms = endOfDay_ms(day);
    return { day, limit: creditsPerDay, used, forfeited: 0, remaining, resetsAt_ms, rows };
  }

  flush(): Promise<void> {
    return this.#usage.flush();
  }

  /** The day never goes back: a clock set back must not open a balance a second time. */
  #today(): string {
    const now_ms = this.#clock.now_ms();
    if (now_ms >= this.#dayEndsAt_ms) {
      this.#day = utcDay(now_ms);
      this.#dayEndsAt_ms = endOfDay_ms(this.#day);
      this.#balances = new Map();
    }
    return this.#day;
  }

  /** Reads what an account has spent; calls that come meanwhile wait for the same answer. */
  #load(accountId: string, day: string): Promise<Balance> {
    const balances = this.#balances;
    const loading = this.#store.creditsSpent({ accountId, day }).then(
      (spent) => {
        const balance = { spent, reserved: 0 };
        balances.set(accountId, balance);
        return balance;
      },
      (error: unknown) => {
        balances.delete(accountId);
        throw error;
      },
    );
    balances.set(accountId, loading);
    return loading;
  }

  #setAside(
    balance: Balance,
    { spender, method, cost }: { spender: Spender; method: string; cost: number },
  ): Reservation | Refusal {
    const { accountId, keyId, creditsPerDay } = spender;
    const day = this.#day;
    const remaining = Math.max(0, creditsPerDay - balance.spent - balance.reserved);
    if (cost > remaining) {
      return { reason: 'credits_exhausted', cost, remaining, resetsAt_ms: this.#dayEndsAt_ms };
    }
    balance.reserved += cost;
    return {
      credits: cost,
      settle: () => {
        balance.reserved -= cost;
        balance.spent += cost;
        this.#usage.add({ accountId, keyId, day, method }, 1, cost);
      },
      release: () => {
        balance.reserved -= cost;
      },
    };
  }
}
