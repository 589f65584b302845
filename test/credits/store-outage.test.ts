import { describe, expect, it, onTestFinished } from 'vitest';
import { LeaseLedger } from '../../src/credits/lease-ledger.ts';
import type { Refusal } from '../../src/credits/ledger.ts';
import { RateLimit } from '../../src/credits/rate-limit.ts';
import { StoreHealth } from '../../src/credits/store-health.ts';
import { systemClock } from '../../src/time/clock.ts';
import { every } from '../../src/time/periodic.ts';
import { account, freePlan, openTestStore } from '../store/support.ts';
import { storeOutages } from '../support/store-outages.ts';
import { eventually } from '../transport/eventually.ts';
import { charge, ledgerLimits, reserve } from './support.ts';

const creditsPerDay = 1_000_000;
const spender = { accountId: 'acme', keyId: 'key-1', creditsPerDay };

/** More than a lease holds, in calls of `COST`. */
const MAX_CALLS = 1_000;
const COST = 80;

describe.each(Object.values(storeOutages))('while $name', ({ prepare }) => {
  it('calls spend leases, then are refused, and recover without a restart', async () => {
    const outage = await prepare();
    const administration = await openTestStore(outage.address);
    await administration.putPlan({ ...freePlan, creditsPerDay });
    await administration.putAccount(account);
    const health = new StoreHealth({
      store_wait_ms: 1_500,
      monotonic_ms: () => systemClock.monotonic_ms(),
    });
    // Short, so that a store that is silent, or locked, fails soon.
    const store = await openTestStore(outage.address, {
      statement_ms: 1_000,
      connect_ms: 1_000,
      onOperationEnd: (operation) => health.onOperation(operation),
    });
    const failures: unknown[] = [];
    const ledger = new LeaseLedger({
      store,
      clock: systemClock,
      limits: { ...ledgerLimits, ttl_ms: 4_000, store_wait_ms: 1_500 },
      callRates: new RateLimit(() => 0),
      onFailure: (error) => failures.push(error),
      health,
    });
    const isDown = (): boolean => health.isDown(ledger.hasCredits);
    const renewing = every(
      100,
      () => ledger.renewDue(),
      () => undefined,
    );
    onTestFinished(() => renewing.stop());
    let paid = 0;
    const pay = async (cost: number): Promise<boolean> => {
      const isPaid = await charge(ledger, spender, { cost });
      if (isPaid) paid += cost;
      return isPaid;
    };
    await eventually(() => pay(COST)).toBe(true);

    outage.begin();
    for (let call = 0; call < 20; call += 1) expect(await pay(COST)).toBe(true);
    expect(isDown()).toBe(false);
    let refusal: Refusal | undefined;
    for (let call = 0; refusal === undefined && call < MAX_CALLS; call += 1) {
      const reserved = await reserve(ledger, spender, { cost: COST });
      if ('reason' in reserved) refusal = reserved;
      else {
        reserved.settle();
        paid += COST;
      }
    }
    expect(refusal).toEqual({ reason: 'store_unavailable' });
    await eventually(isDown).toBe(true);
    expect(failures.length).toBeGreaterThan(0);

    outage.end();
    // By itself, without a call: an instance that is not ready gets none.
    await eventually(isDown).toBe(false);
    await eventually(() => pay(COST)).toBe(true);
    await renewing.stop();
    await ledger.close();
    const { spent, leased, usage } = await store.readToday({ accountId: 'acme' });
    expect({ spent, leased }).toEqual({ spent: paid, leased: 0 });
    expect(usage).toMatchObject([{ credits: paid }]);
  });
});
