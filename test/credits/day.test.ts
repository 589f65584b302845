import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../src/credits/ledger.ts';
import { spentOn } from '../store/support.ts';
import { charge, noon_ms, openLedgerBench, reserve, TestClock } from './support.ts';

const midnight_ms = Date.parse('2026-11-22T00:00:00Z');

describe('a day', () => {
  it('ends at 00:00 UTC of the store for calls and leases', async () => {
    const { ledger, spender, clock, store } = await openLedgerBench(1_000);
    clock.wall_ms = midnight_ms - 1_500;
    const only = ledger();
    const late = (await reserve(only, spender, { cost: 700 })) as Reservation;
    clock.pass(1_499);
    expect(await reserve(only, spender, { cost: 400 })).toMatchObject({
      remaining: 300,
      resetsAt_ms: midnight_ms,
    });
    clock.pass(1);
    expect(await charge(only, spender, { cost: 1_000 })).toBe(true);
    late.settle();
    await only.close();
    expect([await spentOn(store, '2026-11-21'), await spentOn(store, '2026-11-22')]).toEqual([
      700, 1_000,
    ]);
    const { lost, leased } = await store.readToday({ accountId: 'acme' });
    expect({ lost, leased }).toEqual({ lost: 0, leased: 0 });
  });

  it("is the store's, whatever the clock of an instance", async () => {
    for (const skew_ms of [-3_600_000, 3_600_000]) {
      const { ledger, spender, clock, store } = await openLedgerBench(1_000);
      clock.wall_ms = midnight_ms - 1_800_000;
      const own = new TestClock(clock.wall_ms + skew_ms);
      const only = ledger({ clock: own });
      expect(await charge(only, spender, { cost: 900 })).toBe(true);
      clock.pass(1_700_000);
      own.pass(1_700_000);
      expect(await charge(only, spender, { cost: 200 })).toBe(false);
      clock.pass(100_000);
      own.pass(100_000);
      expect(await charge(only, spender, { cost: 1_000 })).toBe(true);
      await only.close();
      expect(await spentOn(store, '2026-11-22')).toBe(1_000);
    }
  });

  it('ends its leases: their credits are not spent on the next day', async () => {
    const { ledger, spender, clock, store } = await openLedgerBench(1_000_000);
    clock.wall_ms = midnight_ms - 2_000;
    const only = ledger();
    await charge(only, spender, { cost: 80 });
    expect(only.balance(spender)).toMatchObject({ remaining: 999_920 });
    clock.pass(2_000);
    expect(only.balance(spender)).toBeUndefined();
    await charge(only, spender, { cost: 150 });
    for (let tick = 0; tick < 12; tick += 1) {
      clock.pass(1_000);
      only.renewDue();
      await only.flush();
    }
    await only.close();
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 150,
      leased: 0,
      lost: 0,
    });
    expect(await spentOn(store, '2026-11-21')).toBe(80);
    clock.wall_ms = noon_ms;
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 80,
      leased: 0,
      lost: 0,
    });
  });
});
