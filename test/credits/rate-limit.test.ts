import { describe, expect, it } from 'vitest';
import { RateLimit } from '../../src/credits/rate-limit.ts';
import { charge, openLedgerBench } from './support.ts';

const subject = { accountId: 'acme', callsPerSecond: 10 };

describe('the rate limit', () => {
  it('allows one second of calls at once, then one per elapsed interval', () => {
    let now_ms = 0;
    const limit = new RateLimit(() => now_ms);
    const burst = Array.from({ length: 12 }, () => limit.take(subject));
    expect(burst).toEqual([...Array<number>(10).fill(0), 100, 100]);
    now_ms = 99;
    expect(limit.take(subject)).toBe(1);
    now_ms = 250;
    expect([limit.take(subject), limit.take(subject), limit.take(subject)]).toEqual([0, 0, 50]);
    expect(limit.balance(subject)).toEqual({ limit: 10, remaining: 0 });
    now_ms = 60_000;
    expect(limit.balance(subject)).toEqual({ limit: 10, remaining: 10 });
  });

  it('counts each account separately, at the current rate of its plan', () => {
    const limit = new RateLimit(() => 0);
    for (let call = 0; call < 10; call += 1) limit.take(subject);
    expect(limit.take(subject)).toBeGreaterThan(0);
    expect(limit.take({ ...subject, accountId: 'other' })).toBe(0);
    expect(limit.take({ accountId: 'none', callsPerSecond: 0 })).toBe(3_600_000);
  });

  it('allows its share of the limit, and at least one call per second', () => {
    let now_ms = 0;
    const limit = new RateLimit(() => now_ms);
    limit.share('acme', 0.4);
    expect(limit.balance(subject)).toEqual({ limit: 10, remaining: 4 });
    const burst = Array.from({ length: 6 }, () => limit.take(subject));
    expect(burst).toEqual([0, 0, 0, 0, 250, 250]);
    limit.share('acme', 0.001);
    now_ms = 1_000;
    expect([limit.take(subject), limit.take(subject)]).toEqual([0, 1_000]);
  });

  it('measures all calls, up to the limit of the account', () => {
    let now_ms = 0;
    const limit = new RateLimit(() => now_ms);
    expect(limit.measured('acme')).toBeNull();
    for (let call = 0; call < 10; call += 1) limit.take(subject);
    now_ms = 2_000;
    expect(limit.measured('acme')).toBeCloseTo(300, 6);
    for (let call = 0; call < 1_000; call += 1) limit.take(subject);
    now_ms = 20_000;
    expect(limit.measured('acme')).toBeGreaterThan(580);
    expect(limit.measured('acme')).toBeLessThanOrEqual(600);
  });
});

describe('the rate limit of several instances', () => {
  it("is about the account's limit over all instances", async () => {
    const bench = await openLedgerBench(100_000_000);
    const { clock, spender } = bench;
    const monotonic_ms = (): number => clock.monotonic_ms();
    const instances = [1, 2, 3].map(() => {
      const rate = new RateLimit(monotonic_ms);
      return { rate, ledger: bench.ledger({ callRates: rate }) };
    });
    const fast = { accountId: 'acme', callsPerSecond: 100 };
    /** Calls let through in ten seconds at each instance, that many a second asked for there. */
    const callAll = async (wanted: readonly number[]): Promise<number[]> => {
      const passed = [0, 0, 0];
      for (let tenth = 0; tenth < 100; tenth += 1) {
        for (const [index, { rate, ledger }] of instances.entries()) {
          for (let call = 0; call < wanted[index]! / 10; call += 1) {
            if (rate.take(fast) > 0) continue;
            if (await charge(ledger, spender, { cost: 80 })) passed[index]! += 1;
          }
          ledger.renewDue();
        }
        await new Promise((resolve) => setImmediate(resolve));
        clock.pass(100);
      }
      return passed;
    };
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b);
    await callAll([500, 500, 500]);
    await callAll([500, 500, 500]);
    const crowded = await callAll([500, 500, 500]);
    expect(sum(crowded)).toBeGreaterThan(900);
    expect(sum(crowded)).toBeLessThan(1_300);
    expect(Math.max(...crowded) / Math.min(...crowded)).toBeLessThan(1.3);

    for (let times = 0; times < 3; times += 1) await callAll([500, 10, 0]);
    const lopsided = await callAll([500, 10, 0]);
    expect(lopsided[0]).toBeGreaterThan(750);
    expect(lopsided[1]).toBe(100);
    expect(sum(lopsided)).toBeLessThan(1_200);
  });
});
