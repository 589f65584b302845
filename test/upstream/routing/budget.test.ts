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
