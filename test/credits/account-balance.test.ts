import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../src/credits/ledger.ts';
import { charge, openLedgerBench, reserve } from './support.ts';

const midnight_ms = Date.parse('2026-11-22T00:00:00Z');

describe('an account', () => {
  it('spends its daily balance to the last credit and no further', async () => {
    const { ledger, spender } = await openLedgerBench(1_000);
    const only = ledger();
    expect(await charge(only, spender, { cost: 900 })).toBe(true);
    expect(await reserve(only, spender, { cost: 101 })).toEqual({
      reason: 'credits_exhausted',
      cost: 101,
      remaining: 100,
      resetsAt_ms: midnight_ms,
    });
    expect(await charge(only, spender, { cost: 100 })).toBe(true);
    expect(await reserve(only, spender, { cost: 1 })).toMatchObject({ remaining: 0 });
  });

  it('gets back the credits reserved for a call that is not answered', async () => {
    const { ledger, spender } = await openLedgerBench(1_000);
    const only = ledger();
    const reserved = (await reserve(only, spender, { cost: 1_000 })) as Reservation;
    expect(await reserve(only, spender, { cost: 1 })).toMatchObject({ remaining: 0 });
    reserved.release();
    expect(only.balance(spender)).toMatchObject({ limit: 1_000, remaining: 1_000 });
    expect(await charge(only, spender, { cost: 1_000 })).toBe(true);
  });

  it('never spends more than its balance, in any order of calls, replies and instances', async () => {
    const steps = fc.array(
      fc.record({
        at: fc.nat(2),
        cost: fc.integer({ min: 1, max: 400 }),
        ending: fc.constantFrom('settle', 'release', 'hold'),
        passes_ms: fc.constantFrom(0, 0, 0, 3_000, 9_000),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        const { ledger, spender, store, clock } = await openLedgerBench(2_000);
        const instances = [ledger(), ledger(), ledger()];
        let paid = 0;
        for (const { at, cost, ending, passes_ms } of calls) {
          const reserved = await reserve(instances[at]!, spender, { cost });
          if (!('reason' in reserved)) {
            if (ending !== 'hold') reserved[ending as 'settle' | 'release']();
            if (ending === 'settle') paid += cost;
          }
          clock.pass(passes_ms);
          for (const each of instances) each.renewDue();
        }
        for (const each of instances) await each.flush();
        const { spent, lost, leased } = await store.readToday({ accountId: 'acme' });
        expect(spent).toBe(paid);
        expect(spent + lost + leased).toBeLessThanOrEqual(2_000);
      }),
      { numRuns: 20 },
    );
  });

  it('is read once for all who ask for its usage at the same time', async () => {
    const { ledger, spender, operations } = await openLedgerBench(1_000);
    const only = ledger();
    await charge(only, spender, { cost: 600 });
    operations.length = 0;
    const reports = await Promise.all(Array.from({ length: 50 }, () => only.usage(spender)));
    expect(new Set(reports.map(({ used }) => used))).toEqual(new Set([600]));
    expect(operations).toEqual(['readToday']);
    await charge(only, spender, { cost: 150 });
    expect(await only.usage(spender)).toMatchObject({ used: 750, remaining: 250 });
  });

  it("gets the store's balance when a call is refused, and only then", async () => {
    const { ledger, spender, operations } = await openLedgerBench(1_000);
    const [one, other] = [ledger(), ledger()];
    await charge(one, spender, { cost: 600 });
    await charge(other, spender, { cost: 150 });
    operations.length = 0;
    expect(await reserve(one, spender, { cost: 300 })).toMatchObject({ remaining: 250 });
    expect(operations).toEqual(['renewLeases']);
  });

  it('is not refused by the store call after call', async () => {
    const { ledger, spender, operations, clock } = await openLedgerBench(100);
    const only = ledger();
    await charge(only, spender, { cost: 90 });
    await reserve(only, spender, { cost: 80 });
    operations.length = 0;
    for (let call = 0; call < 50; call += 1) {
      expect(await reserve(only, spender, { cost: 80 })).toMatchObject({ remaining: 10 });
    }
    expect(operations).toEqual([]);
    expect(await charge(only, spender, { cost: 10 })).toBe(true);
    clock.pass(300);
    await reserve(only, spender, { cost: 80 });
    expect(operations).toEqual(['renewLeases', 'renewLeases']);
  });

  it('follows a new plan at its next call', async () => {
    const { ledger, spender, store } = await openLedgerBench(100);
    const only = ledger();
    expect(await charge(only, spender, { cost: 80 })).toBe(true);
    expect(await charge(only, spender, { cost: 80 })).toBe(false);
    await store.putAccount({ id: 'acme', plan: 'free', creditsPerDay: 200, callsPerSecond: null });
    const richer = { ...spender, creditsPerDay: 200 };
    expect(await charge(only, richer, { cost: 80 })).toBe(true);
    expect(only.balance(richer)).toMatchObject({ limit: 200, remaining: 40 });
    await store.putAccount({ id: 'acme', plan: 'free', creditsPerDay: 170, callsPerSecond: null });
    expect(await charge(only, { ...spender, creditsPerDay: 170 }, { cost: 20 })).toBe(false);
  });

  it('is refused without credits', async () => {
    const { ledger, spender } = await openLedgerBench(0);
    expect(await reserve(ledger(), spender, { cost: 1 })).toMatchObject({ remaining: 0 });
    expect(await charge(ledger(), spender, { cost: 0 })).toBe(true);
  });
});

describe('usage', () => {
  it('counts every call of this instance once, reported or not', async () => {
    const { ledger, spender } = await openLedgerBench(1_000_000);
    const [here, there] = [ledger(), ledger()];
    const pay = async (method: string, cost: number): Promise<void> => {
      expect(await charge(here, spender, { method, cost })).toBe(true);
    };
    await pay('eth_a', 80);
    await pay('eth_b', 150);
    expect(await here.usage(spender)).toMatchObject({ used: 230, remaining: 999_770 });
    expect(await there.usage(spender)).toMatchObject({ used: 0, remaining: 1_000_000 });
    const flushing = here.flush();
    const reading = here.usage(spender);
    await pay('eth_a', 80);
    await flushing;
    expect([310, 230]).toContain((await reading).used);
    const report = await here.usage(spender);
    expect(report).toMatchObject({ day: '2026-11-21', limit: 1_000_000, used: 310, lost: 0 });
    expect(report.rows.map(({ method, calls, credits }) => [method, calls, credits])).toEqual([
      ['eth_a', 2, 160],
      ['eth_b', 1, 150],
    ]);
    await here.flush();
    expect(await there.usage(spender)).toMatchObject({ used: 310, resetsAt_ms: midnight_ms });
  });
});
