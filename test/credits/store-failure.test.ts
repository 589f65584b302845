import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/store/database.ts';
import { StoreHealth } from '../../src/credits/store-health.ts';
import { eventually } from '../transport/eventually.ts';
import { charge, openLedgerBench, reserve } from './support.ts';

describe('while the store fails, an instance', () => {
  it('spends its lease, then refuses calls, then recovers', async () => {
    const { ledger, spender, store, clock, failures } = await openLedgerBench(1_000_000);
    let isBroken = false;
    const renewLeases: typeof store.renewLeases = (batch) =>
      isBroken ? Promise.reject(new StoreError('gone')) : store.renewLeases(batch);
    const only = ledger({ store: { renewLeases } });
    await charge(only, spender, { cost: 1_000 });
    isBroken = true;
    let served = 1;
    while (await charge(only, spender, { cost: 1_000 })) served += 1;
    expect(served).toBe(5);
    expect(await reserve(only, spender, { cost: 1_000 })).toEqual({ reason: 'store_unavailable' });
    expect(await charge(only, spender, { cost: 500 })).toBe(true);
    clock.pass(9_000);
    only.renewDue();
    expect(await charge(only, spender, { cost: 1_000 })).toBe(false);
    expect(failures.length).toBeGreaterThan(0);
    isBroken = false;
    clock.pass(300);
    expect(await charge(only, spender, { cost: 1_000 })).toBe(true);
    await only.close();
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 6_500,
      leased: 0,
      lost: 0,
    });
  });

  it('retries the store without calls, also for an account without a lease', async () => {
    const { ledger, spender, store, clock } = await openLedgerBench(1_000_000);
    const health = new StoreHealth({
      store_wait_ms: 2_000,
      monotonic_ms: () => clock.monotonic_ms(),
    });
    let isBroken = true;
    const renewLeases: typeof store.renewLeases = async (batch) => {
      health.onOperation({ name: 'renewLeases', hasFailed: isBroken, duration_ms: 1 });
      if (isBroken) throw new StoreError('gone');
      return store.renewLeases(batch);
    };
    const only = ledger({ store: { renewLeases }, health });
    const isDown = (): boolean => health.isDown(only.hasCredits);
    expect(await charge(only, spender, { cost: 80 })).toBe(false);
    expect(isDown()).toBe(true);
    isBroken = false;
    await eventually(() => {
      clock.pass(300);
      only.renewDue();
      return isDown();
    }).toBe(false);
    await eventually(() => {
      only.renewDue();
      return only.figures;
    }).toMatchObject({ accounts: 0, leases: 0, held_credits: 0 });
  });

  it('charges each call once if it is unknown whether a report was applied', async () => {
    const { ledger, spender, store, clock } = await openLedgerBench(1_000_000);
    let losses = 0;
    const renewLeases: typeof store.renewLeases = async (batch) => {
      losses += 1;
      if (losses % 3 === 1) throw new StoreError('lost on the way', { isUncertain: true });
      const replies = await store.renewLeases(batch);
      if (losses % 3 === 2) throw new StoreError('lost on the way back', { isUncertain: true });
      return replies;
    };
    const only = ledger({ store: { renewLeases } });
    let paid = 0;
    for (let call = 0; call < 300; call += 1) {
      if (await charge(only, spender, { cost: 300 })) paid += 300;
      clock.pass(400);
      only.renewDue();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(paid).toBeGreaterThan(10_000);
    losses = 2;
    await only.close().catch(() => only.close());
    const { spent, lost, leased } = await store.readToday({ accountId: 'acme' });
    expect({ spent, leased }).toEqual({ spent: paid, leased: 0 });
    expect(lost).toBe(0);
  });

  it('limits how long and how many calls wait', async () => {
    const { ledger, spender } = await openLedgerBench(1_000_000);
    const renewLeases = (): Promise<never> => new Promise(() => undefined);
    const limits = { store_wait_ms: 50, waiting_calls: 3 };
    const only = ledger({ store: { renewLeases }, limits });
    const calls = Array.from({ length: 5 }, () => only.reserve(spender, 'eth_a', 80));
    const refused = { reason: 'store_unavailable' };
    expect(calls.slice(3)).toEqual([refused, refused]);
    expect(await Promise.all(calls)).toEqual(calls.map(() => refused));
  });
});
