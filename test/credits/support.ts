import { onTestFinished } from 'vitest';
import type { CallRates } from '../../src/credits/account-leases.ts';
import { RateLimit } from '../../src/credits/rate-limit.ts';
import { LeaseLedger, type LeaseStore, type LedgerLimits } from '../../src/credits/lease-ledger.ts';
import { StoreHealth } from '../../src/credits/store-health.ts';
import type { Ledger, Refusal, Reservation, Spender } from '../../src/credits/ledger.ts';
import type { Store } from '../../src/store/store.ts';
import { account, freePlan, openTestStore } from '../store/support.ts';

export const noon_ms = Date.parse('2026-11-21T12:00:00Z');

export const ledgerLimits: LedgerLimits = {
  ttl_ms: 10_000,
  store_wait_ms: 2_000,
  waiting_calls: 10_000,
  max_call_credits: 1_000,
};

/** A wall clock and a monotonic one, which go on together unless the wall clock is set. */
export class TestClock {
  wall_ms: number;
  elapsed_ms = 0;

  constructor(wall_ms = noon_ms) {
    this.wall_ms = wall_ms;
  }

  now_ms(): number {
    return this.wall_ms;
  }

  monotonic_ms(): number {
    return this.elapsed_ms;
  }

  pass(by_ms: number): void {
    this.wall_ms += by_ms;
    this.elapsed_ms += by_ms;
  }
}

export interface LedgerBench {
  readonly store: Store;
  readonly clock: TestClock;
  readonly spender: Spender;
  /** Names of the operations of the store, in their order. */
  readonly operations: string[];
  readonly failures: unknown[];
  /** Another instance on the same store. */
  ledger(over?: {
    readonly limits?: Partial<LedgerLimits>;
    readonly clock?: TestClock;
    readonly store?: Partial<LeaseStore>;
    readonly callRates?: CallRates;
    readonly health?: StoreHealth;
    /** Between 0 and 1; decides when leases are renewed. */
    readonly random?: number;
  }): LeaseLedger;
}

/** A store in memory with one account, and instances whose clocks are the test's. */
export async function openLedgerBench(creditsPerDay: number): Promise<LedgerBench> {
  const clock = new TestClock();
  const operations: string[] = [];
  const failures: unknown[] = [];
  const store = await openTestStore(':memory:', {
    now_ms: () => clock.wall_ms,
    onOperation: (name) => operations.push(name),
  });
  await store.putPlan({ ...freePlan, creditsPerDay });
  await store.putAccount(account);
  operations.length = 0;
  return {
    store,
    clock,
    operations,
    failures,
    spender: { accountId: 'acme', keyId: 'key-1', creditsPerDay },
    ledger({
      limits,
      clock: own = clock,
      store: instead,
      callRates = new RateLimit(() => 0),
      health = new StoreHealth({ store_wait_ms: 2_000, monotonic_ms: () => clock.monotonic_ms() }),
      random = 0.5,
    } = {}) {
      const ledger = new LeaseLedger({
        store: { ...store, ...instead },
        clock: own,
        limits: { ...ledgerLimits, ...limits },
        callRates,
        health,
        onFailure: (error) => failures.push(error),
        random: () => random,
      });
      onTestFinished(() => ledger.close().catch(() => undefined));
      return ledger;
    },
  };
}

export async function reserve(
  ledger: Ledger,
  spender: Spender,
  { method = 'eth_a', cost }: { readonly method?: string; readonly cost: number },
): Promise<Reservation | Refusal> {
  return ledger.reserve(spender, method, cost);
}

/** Whether a call was let through, and charged. */
export async function charge(
  ledger: Ledger,
  spender: Spender,
  call: { readonly method?: string; readonly cost: number },
): Promise<boolean> {
  const reserved = await reserve(ledger, spender, call);
  if ('reason' in reserved) return false;
  reserved.settle();
  return true;
}
