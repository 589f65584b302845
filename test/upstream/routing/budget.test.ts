import { describe, expect, it } from 'vitest';
import { Budget } from '../../../src/upstream/routing/budget.ts';
import { fakeClock } from '../clock.ts';

function spend(budget: Budget, most: number): number {
  let spent = 0;
  while (spent < most && budget.hasRoom()) {
    budget.spend();
    spent += 1;
  }
  return spent;
}

describe('Budget', () => {
  it('has room for any number of calls when no terms are given', () => {
    const budget = new Budget({}, fakeClock());
    expect(spend(budget, 10_000)).toBe(10_000);
    expect(budget.leftToday()).toBeNull();
  });

  it('lets through so many calls a second, none saved up beyond a second', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: 10 }, clock);
    expect(spend(budget, 100)).toBe(10);
    clock.pass(350);
    expect(spend(budget, 100)).toBe(3);
    clock.pass(60_000);
    expect(spend(budget, 100)).toBe(10);
  });

  it('lets one call through in many seconds, too', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerSecond: 0.1 }, clock);
    expect(spend(budget, 10)).toBe(1);
    clock.pass(9_999);
    expect(budget.hasRoom()).toBe(false);
    clock.pass(1);
    expect(spend(budget, 10)).toBe(1);
  });

  it('lets through so many calls a day, the day beginning at 00:00 UTC', () => {
    const clock = fakeClock();
    const budget = new Budget({ callsPerDay: 5 }, clock);
    expect(spend(budget, 100)).toBe(5);
    budget.spend();
    expect(budget.leftToday()).toBe(0);
    clock.pass(12 * 3_600_000 - 1);
    expect(budget.hasRoom()).toBe(false);
    clock.pass(1);
    expect(budget.leftToday()).toBe(5);
    expect(spend(budget, 100)).toBe(5);
  });
});
