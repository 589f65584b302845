import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DailyLedger, type UsageStore } from '../../src/credits/daily-ledger.ts';
import type { Refusal, Reservation } from '../../src/credits/ledger.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import type { AccountDay } from '../../src/store/operations/usage.ts';
import type { UsageRow } from '../../src/store/records.ts';
import { temporaryFolder } from '../store/support.ts';

const limits = { usage_rows: 1_000, store_wait_ms: 1_000 };
const noon = Date.parse('2026-11-21T12:00:00Z');
const spender = { accountId: 'acme', keyId: 'key-1', creditsPerDay: 1_000 };

function clockAt(now_ms: number): { time_ms: number; now_ms(): number; monotonic_ms(): number } {
  return {
    time_ms: now_ms,
    now_ms() {
      return this.time_ms;
    },
    monotonic_ms: () => 0,
  };
}

/** A store in memory that counts what is asked of it, and can be made to fail. */
function countingStore(): UsageStore & { operations: number; broken: boolean; rows: UsageRow[] } {
  const rows: UsageRow[] = [];
  const matching = (accountId: string, day: string): UsageRow[] =>
    rows.filter((row) => row.accountId === accountId && row.day === day);
  const store = {
    operations: 0,
    broken: false,
    rows,
    async count() {
      this.operations += 1;
      if (this.broken) throw new Error('gone');
    },
    async addUsage(added: readonly UsageRow[]) {
      await this.count();
      rows.push(...added);
    },
    async usageOf({ accountId, day }: AccountDay) {
      await this.count();
      return matching(accountId, day);
    },
    async creditsSpent({ accountId, day }: AccountDay) {
      await this.count();
      return matching(accountId, day).reduce((sum, { credits }) => sum + credits, 0);
    },
  };
  return store;
}

async function reserve(ledger: DailyLedger, cost: number): Promise<Reservation | Refusal> {
  return ledger.reserve(spender, 'eth_a', cost);
}

async function charge(ledger: DailyLedger, cost: number): Promise<boolean> {
  const reserved = await reserve(ledger, cost);
  if ('reason' in reserved) return false;
  reserved.settle();
  return true;
}

describe('the ledger', () => {
  it('lets an account spend its daily balance to the last credit, and no further', async () => {
    const ledger = new DailyLedger(countingStore(), clockAt(noon), limits);
    expect(await charge(ledger, 900)).toBe(true);
    expect(await reserve(ledger, 101)).toEqual({
      reason: 'credits_exhausted',
      cost: 101,
      remaining: 100,
      resetsAt_ms: Date.parse('2026-11-22T00:00:00Z'),
    });
    expect(await charge(ledger, 100)).toBe(true);
    expect(await reserve(ledger, 1)).toMatchObject({ remaining: 0 });
  });

  it('gives back what was set aside for a call that was not answered', async () => {
    const ledger = new DailyLedger(countingStore(), clockAt(noon), limits);
    const reserved = (await reserve(ledger, 1_000)) as Reservation;
    expect(await reserve(ledger, 1)).toMatchObject({ reason: 'credits_exhausted' });
    reserved.release();
    expect(ledger.standing(spender)).toMatchObject({ limit: 1_000, remaining: 1_000 });
    expect(await charge(ledger, 1_000)).toBe(true);
  });

  it('never sells more than the balance, whatever the order of calls and answers', async () => {
    const steps = fc.array(
      fc.record({
        cost: fc.integer({ min: 1, max: 400 }),
        ending: fc.constantFrom('settle', 'release', 'hold'),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        const store = countingStore();
        const ledger = new DailyLedger(store, clockAt(noon), limits);
        let paid = 0;
        let held = 0;
        for (const { cost, ending } of calls) {
          const reserved = await reserve(ledger, cost);
          expect('reason' in reserved).toBe(cost > 1_000 - paid - held);
          if ('reason' in reserved) continue;
          if (ending === 'hold') held += cost;
          else reserved[ending as 'settle' | 'release']();
          if (ending === 'settle') paid += cost;
        }
        await ledger.flush();
        expect(store.rows.reduce((sum, { credits }) => sum + credits, 0)).toBe(paid);
      }),
    );
  });

  it('starts a new balance at 00:00 UTC, and settles a call to the day it was reserved on', async () => {
    const clock = clockAt(Date.parse('2026-11-21T23:59:59.999Z'));
    const store = countingStore();
    const ledger = new DailyLedger(store, clock, limits);
    const late = (await reserve(ledger, 700)) as Reservation;
    clock.time_ms += 1;
    expect(await charge(ledger, 1_000)).toBe(true);
    late.settle();
    await ledger.flush();
    expect(store.rows.map(({ day, credits }) => [day, credits])).toEqual([
      ['2026-11-22', 1_000],
      ['2026-11-21', 700],
    ]);
    clock.time_ms -= 1;
    expect(await reserve(ledger, 1)).toMatchObject({ reason: 'credits_exhausted' });
  });

  it('asks the store once for an account and day, however many calls come at once', async () => {
    const store = countingStore();
    const ledger = new DailyLedger(store, clockAt(noon), limits);
    const charged = await Promise.all(Array.from({ length: 1_500 }, () => charge(ledger, 1)));
    expect(charged.filter(Boolean)).toHaveLength(1_000);
    await ledger.flush();
    await ledger.flush();
    expect(store.operations).toBe(2);
  });

  it('refuses while the store cannot tell the balance, and goes on when it can', async () => {
    const store = countingStore();
    const ledger = new DailyLedger(store, clockAt(noon), limits);
    store.broken = true;
    expect(await reserve(ledger, 1)).toEqual({ reason: 'store_unavailable' });
    store.broken = false;
    expect(await charge(ledger, 1)).toBe(true);
  });

  it('waits for the store no longer than its limit', async () => {
    const silent: UsageStore = {
      ...countingStore(),
      creditsSpent: () => new Promise(() => undefined),
    };
    const ledger = new DailyLedger(silent, clockAt(noon), { ...limits, store_wait_ms: 20 });
    expect(await reserve(ledger, 1)).toEqual({ reason: 'store_unavailable' });
  });

  it('holds back usage the store does not take, up to a bound, and loses none of it', async () => {
    const store = countingStore();
    const ledger = new DailyLedger(store, clockAt(noon), { ...limits, usage_rows: 2 });
    const chargeMethod = async (method: string): Promise<boolean> => {
      const reserved = await ledger.reserve(spender, method, 10);
      if ('reason' in reserved) return false;
      reserved.settle();
      return true;
    };
    expect(await chargeMethod('a')).toBe(true);
    store.broken = true;
    await expect(ledger.flush()).rejects.toThrow('gone');
    expect(await chargeMethod('b')).toBe(true);
    expect(await chargeMethod('b')).toBe(false);
    store.broken = false;
    await ledger.flush();
    expect(await chargeMethod('b')).toBe(true);
    const report = await ledger.usage(spender);
    expect(report).toMatchObject({ day: '2026-11-21', used: 30, remaining: 970 });
    expect(report.rows.map(({ method, calls }) => [method, calls])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('is exact across a restart, in a real file', async () => {
    const path = join(await temporaryFolder(), 'store.sqlite');
    const open = async (): Promise<[Store, DailyLedger]> => {
      const store = await openStore(path);
      return [store, new DailyLedger(store, clockAt(noon), limits)];
    };
    const [firstStore, first] = await open();
    for (let call = 0; call < 7; call += 1) await charge(first, 100);
    ((await reserve(first, 100)) as Reservation).release();
    await first.flush();
    await firstStore.close();

    const [secondStore, second] = await open();
    onTestFinished(() => secondStore.close());
    expect(await reserve(second, 301)).toMatchObject({ remaining: 300 });
    expect(await charge(second, 300)).toBe(true);
    expect((await second.usage(spender)).used).toBe(1_000);
  });
});
