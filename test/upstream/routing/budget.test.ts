import { describe, expect, it } from 'vitest';
import { Budget } from '../../../src/upstream/routing/budget.ts';
import { fakeClock } from '../clock.ts';

function spend(budget: Budget, max: number): number {
  let spent = 0;
  while (spent < max && !budget.isExhausted) {
    budget.spend();
    spent += 1;
  }
  return spent;
}

describe('Budget', () => {
  it('is unlimited by default', () => {
    const budget = new Budget({}, fakeClock());
    expect(spend(budget, 10_000)).toBe(10_000);
    expect(budget.callsLeftToday).toBeNull();
  });

  it('allows a number of calls per second and saves at most one second of them', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: 10 }, clock);
    expect(spend(budget, 100)).toBe(10);
    clock.pass(350);
    expect(spend(budget, 100)).toBe(3);
    clock.pass(60_000);
    expect(spend(budget, 100)).toBe(10);
  });

  it('allows less than one call per second', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: 0.1 }, clock);
    expect(spend(budget, 10)).toBe(1);
    clock.pass(9_999);
    expect(budget.isExhausted).toBe(true);
    clock.pass(1);
    expect(spend(budget, 10)).toBe(1);
  });

  it('keeps some calls per second for accounts that have spent little', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: 100 }, clock);
    const spendAs = (account: string, max: number): number => {
      let spent = 0;
      for (; spent < max && !budget.isExhaustedFor(account); spent += 1) budget.spend(account);
      return spent;
    };
    spendAs('greedy', 1_000);
    let [greedy, modest] = [0, 0];
    for (let step = 0; step < 100; step += 1) {
      clock.pass(100);
      greedy += spendAs('greedy', 50);
      if (step >= 10) modest += spendAs('modest', 2);
    }
    expect(modest).toBe(2 * 90);
    // One second saves up 100 calls; a single account may spend all others.
    expect(greedy).toBeGreaterThan(10 * 100 - modest - 100);
  });

  it.each([4, 5, 12])(
    'keeps calls of %i per second for an account with one per second',
    (limit) => {
      const clock = fakeClock();
      const budget = new Budget({ callsPerSecond: limit }, clock);
      let [greedy, modest] = [0, 0];
      for (let step = 1; step <= 10_000; step += 1) {
        clock.pass(10);
        // A probe of the node each second.
        if (step % 100 === 0) budget.spend();
        for (; !budget.isExhaustedFor('greedy'); greedy += 1) budget.spend('greedy');
        if (step % 103 !== 0 || budget.isExhaustedFor('modest')) continue;
        budget.spend('modest');
        modest += 1;
      }
      expect(modest).toBe(97);
      expect(greedy).toBeGreaterThan((limit - 2) * 100 * 0.9);
    },
  );

  it.each([
    [100, 2, 43],
    [100, 3, 29],
    [20, 2, 8],
  ])(
    'keeps a share of %i calls per second for bursts of each of %i accounts',
    (limit, accounts, burst) => {
      const clock = fakeClock();
      const budget = new Budget({ callsPerSecond: limit }, clock);
      const spendAs = (account: string, max: number): number => {
        let spent = 0;
        for (; spent < max && !budget.isExhaustedFor(account); spent += 1) budget.spend(account);
        return spent;
      };
      const modest = Array.from({ length: accounts - 1 }, (_, index) => `modest ${index}`);
      for (const account of modest) spendAs(account, 1);
      let greedy = 0;
      const bursts: number[] = [];
      for (let step = 1; step <= 3_000; step += 1) {
        clock.pass(10);
        greedy += spendAs('greedy', 50);
        if (step % 100 === 0) bursts.push(...modest.map((account) => spendAs(account, burst)));
      }
      expect(bursts).toEqual(bursts.map(() => burst));
      const others = bursts.length * burst;
      expect(greedy).toBeGreaterThan((30 * limit - others) * 0.9);
    },
  );

  it('returns how long an account below its share should wait for a call', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: 10, callsPerDay: 20 }, clock);
    for (; !budget.isExhaustedFor('greedy');) budget.spend('greedy');
    while (!budget.isExhausted) budget.spend();
    expect([budget.waitOf_ms('modest'), budget.waitOf_ms('greedy')]).toEqual([100, undefined]);
    clock.pass(40);
    expect(budget.waitOf_ms('modest')).toBe(60);
    clock.pass(60);
    // The timer may have fired a moment too early.
    expect(budget.waitOf_ms('modest')).toBe(1);
    expect(budget.isExhaustedFor('modest')).toBe(false);
    while (budget.callsLeftToday! > 0) budget.spend();
    // Nothing is left before midnight.
    expect(budget.waitOf_ms('modest')).toBeUndefined();
  });

  it.each([1, 4, 100])('gives equal shares of %i calls per second to greedy accounts', (limit) => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: limit }, clock);
    const spent = { first: 0, second: 0 };
    for (let step = 0; step < 10_000; step += 1) {
      clock.pass(10);
      for (const account of ['first', 'first', 'first', 'second'] as const) {
        if (budget.isExhaustedFor(account)) continue;
        budget.spend(account);
        spent[account] += 1;
      }
    }
    expect(spent.first + spent.second).toBeGreaterThan(100 * limit * 0.9);
    expect(spent.second).toBeGreaterThan(100 * limit * 0.4);
  });

  it.each([
    [40, 10],
    [4, 1],
    [100, 20],
  ])('sends at most %i and %i calls in any second', (callsPerSecond, burst) => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond, burst }, clock);
    const sent_ms: number[] = [];
    for (let step = 0; step < 1_000; step += 1) {
      clock.pass(10);
      // Some time without calls, so that a burst follows.
      if (step % 300 < 100) continue;
      for (; !budget.isExhaustedFor('greedy'); sent_ms.push(clock.monotonic_ms()))
        budget.spend('greedy');
    }
    const inSecond = (from_ms: number): number =>
      sent_ms.filter((at_ms) => at_ms >= from_ms && at_ms < from_ms + 1_000).length;
    const most = Math.max(...sent_ms.map(inSecond));
    expect(most).toBeLessThanOrEqual(callsPerSecond + burst);
    expect(sent_ms.length).toBeGreaterThan(callsPerSecond * 6 * 0.9);
  });

  it.each([
    [40, 10, 10],
    [40, 10, 16],
    [20, 4, 8],
  ])(
    'with %i calls per second and bursts of %i, keeps calls for an account with %i per second',
    (callsPerSecond, burst, modestPerSecond) => {
      const clock = fakeClock();
      const budget = new Budget({ callsPerSecond, burst }, clock);
      const period = Math.ceil(1_000 / modestPerSecond);
      let [modest, tried] = [0, 0];
      for (let time_ms = 1; time_ms <= 20_000; time_ms += 1) {
        clock.pass(1);
        // The burst of a client each second, besides a steady flood.
        const calls = time_ms % 1_000 === 0 ? 100 : 1;
        for (let call = 0; call < calls && !budget.isExhaustedFor('greedy'); call += 1)
          budget.spend('greedy');
        if (time_ms % period !== 0) continue;
        tried += 1;
        if (budget.isExhaustedFor('modest')) continue;
        budget.spend('modest');
        modest += 1;
      }
      expect(modest).toBe(tried);
    },
  );

  it('allows a number of calls per day, starting at 00:00 UTC', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerDay: 5 }, clock);
    expect(spend(budget, 100)).toBe(5);
    budget.spend();
    expect(budget.callsLeftToday).toBe(0);
    clock.pass(12 * 3_600_000 - 1);
    expect(budget.isExhausted).toBe(true);
    clock.pass(1);
    expect(budget.callsLeftToday).toBe(5);
    expect(spend(budget, 100)).toBe(5);
  });
});
