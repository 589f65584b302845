import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../src/credits/ledger.ts';
import { charge, openLedgerBench, reserve, TestClock } from './support.ts';

describe('an instance', () => {
  it('asks the store at most once per hundred calls', async () => {
    const { ledger, spender, operations, clock, store } = await openLedgerBench(15_000_000);
    const only = ledger();
    for (let call = 0; call < 10_000; call += 1) {
      expect(await charge(only, spender, { cost: 150 })).toBe(true);
      if (call % 100 === 99) {
        clock.pass(1_000);
        only.renewDue();
      }
    }
    expect(operations.length).toBeLessThanOrEqual(100);
    await only.close();
    expect((await store.readToday({ accountId: 'acme' })).spent).toBe(1_500_000);
  });

  it('requests the credits of many accounts in one operation', async () => {
    const { ledger, spender, operations, store, clock } = await openLedgerBench(1_000_000);
    const only = ledger();
    const spenders = Array.from({ length: 30 }, (_, index) => ({
      ...spender,
      accountId: `account-${index}`,
    }));
    for (const { accountId } of spenders) {
      await store.putAccount({
        id: accountId,
        plan: 'free',
        creditsPerDay: null,
        callsPerSecond: null,
      });
    }
    operations.length = 0;
    const callAll = async (): Promise<void> => {
      const charged = await Promise.all(spenders.map((each) => charge(only, each, { cost: 80 })));
      expect(charged.every(Boolean)).toBe(true);
    };
    await callAll();
    expect(operations).toEqual(['renewLeases']);
    clock.pass(6_000);
    await callAll();
    only.renewDue();
    await only.flush();
    expect(operations.filter((name) => name === 'renewLeases').length).toBeLessThanOrEqual(3);
  });

  it('renews its lease before the credits run out, so that no call waits', async () => {
    const { ledger, spender, operations } = await openLedgerBench(1_000_000);
    const only = ledger();
    await charge(only, spender, { cost: 80 });
    for (let call = 0; call < 95; call += 1) await charge(only, spender, { cost: 80 });
    expect(operations).toHaveLength(2);
    await only.flush();
    for (let call = 0; call < 20; call += 1) {
      const reserved = only.reserve(spender, 'eth_a', 80);
      expect(reserved).not.toBeInstanceOf(Promise);
      (reserved as Reservation).settle();
    }
  });

  it('renews its lease at a random time, well before the end', async () => {
    for (const [random, renewal_ms] of [
      [0, 4_800],
      [1, 6_800],
    ] as const) {
      const { ledger, spender, clock, operations } = await openLedgerBench(1_000_000);
      const only = ledger({ random });
      await charge(only, spender, { cost: 80 });
      const renewalsAt = async (by_ms: number): Promise<number> => {
        clock.pass(by_ms);
        only.renewDue();
        await new Promise((resolve) => setImmediate(resolve));
        return operations.filter((name) => name === 'renewLeases').length;
      };
      expect(await renewalsAt(renewal_ms - 1)).toBe(1);
      expect(await renewalsAt(1)).toBe(2);
    }
  });

  it('spends nothing after the end of its lease on either clock, and returns the remaining credits', async () => {
    for (const passes of [
      (clock: TestClock) => clock.pass(8_001),
      (clock: TestClock) => (clock.wall_ms += 8_001),
      (clock: TestClock) => (clock.elapsed_ms += 8_001),
    ]) {
      const bench = await openLedgerBench(1_000_000);
      const own = new TestClock();
      const only = bench.ledger({ clock: own });
      await charge(only, bench.spender, { cost: 80 });
      passes(own);
      bench.operations.length = 0;
      const late = only.reserve(bench.spender, 'eth_a', 80);
      expect(late).toBeInstanceOf(Promise);
      (await (late as Promise<Reservation>)).release();
      expect(bench.operations).toEqual(['renewLeases']);
      expect(await bench.store.readToday({ accountId: 'acme' })).toMatchObject({
        spent: 80,
        lost: 0,
      });
    }
  });

  it('keeps its lease when the wall clock is set back', async () => {
    const { ledger, spender, operations } = await openLedgerBench(1_000_000);
    const own = new TestClock();
    const only = ledger({ clock: own });
    await charge(only, spender, { cost: 80 });
    own.wall_ms -= 3_600_000;
    operations.length = 0;
    expect(await charge(only, spender, { cost: 80 })).toBe(true);
    expect(operations).toEqual([]);
    own.elapsed_ms += 8_001;
    await charge(only, spender, { cost: 80 });
    expect(operations).toEqual(['renewLeases']);
  });

  it('returns an unused lease in time', async () => {
    const { ledger, spender, store, clock } = await openLedgerBench(1_000_000);
    const only = ledger();
    await charge(only, spender, { cost: 80 });
    for (let tick = 0; tick < 18; tick += 1) {
      clock.pass(1_000);
      only.renewDue();
      await only.flush();
    }
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 80,
      leased: 0,
      lost: 0,
    });
    expect(only.figures).toMatchObject({ accounts: 0, leases: 0, held_credits: 0 });
  });

  it('keeps a lease during calls that last longer than it', async () => {
    const { ledger, spender, store, clock } = await openLedgerBench(1_000_000);
    const only = ledger();
    const slow = (await reserve(only, spender, { cost: 80 })) as Reservation;
    for (let tick = 0; tick < 40; tick += 1) {
      clock.pass(1_000);
      only.renewDue();
      await only.flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await store.readToday({ accountId: 'acme' })).lost).toBe(0);
    slow.settle();
    await only.close();
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 80,
      leased: 0,
      lost: 0,
    });
  });

  it('loses its lease after a long pause, but reports its calls', async () => {
    const { ledger, spender, store, clock } = await openLedgerBench(1_000_000);
    const paused = ledger();
    await charge(paused, spender, { cost: 80 });
    const underWay = (await reserve(paused, spender, { cost: 150 })) as Reservation;
    clock.pass(10_000);
    expect(await store.closeExpiredLeases(null)).toBe(1);
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({ spent: 0, lost: 5_040 });
    underWay.settle();
    expect(await charge(paused, spender, { cost: 80 })).toBe(true);
    await expect(paused.close()).rejects.toThrow('leases of today expired');
    const { spent, lost, leased, usage } = await store.readToday({ accountId: 'acme' });
    expect({ spent, leased }).toEqual({ spent: 310, leased: 0 });
    expect(lost).toBe(5_040 - 230);
    expect(usage).toMatchObject([{ calls: 3, credits: 310 }]);
  });

  it('says on closing that a lease expired during a pause, unless its day is over', async () => {
    for (const [pause_ms, isToday] of [
      [10_000, true],
      [13 * 60 * 60 * 1000, false],
    ] as const) {
      const { ledger, spender, store, clock } = await openLedgerBench(1_000_000);
      const paused = ledger();
      await charge(paused, spender, { cost: 80 });
      clock.pass(pause_ms);
      await store.closeExpiredLeases(null);
      paused.renewDue();
      await paused.flush();
      const closing = paused.close();
      if (isToday) await expect(closing).rejects.toThrow('leases of today expired');
      else await closing;
    }
  });

  it('leaves credits to instances that use more', async () => {
    const { ledger, spender, store, clock } = await openLedgerBench(10_000_000);
    const [busy, quiet] = [ledger(), ledger()];
    for (let tick = 0; tick < 40; tick += 1) {
      for (let call = 0; call < 30; call += 1) await charge(busy, spender, { cost: 150 });
      await charge(quiet, spender, { cost: 150 });
      clock.pass(1_000);
      for (const each of [busy, quiet]) each.renewDue();
    }
    const [held, other] = [busy.figures.held_credits, quiet.figures.held_credits];
    expect(held).toBeGreaterThan(5 * other);
    expect(held + other).toBeLessThanOrEqual(100_000);
    expect((await store.readToday({ accountId: 'acme' })).leased).toBe(held + other);
  });

  it('refuses calls once closed, and returns all leases', async () => {
    const { ledger, spender, store } = await openLedgerBench(1_000_000);
    const only = ledger();
    await charge(only, spender, { cost: 80 });
    await only.close();
    expect(await reserve(only, spender, { cost: 80 })).toEqual({ reason: 'store_unavailable' });
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 80,
      leased: 0,
      lost: 0,
    });
  });
});
