import { describe, expect, it } from 'vitest';
import type { DayReport } from '../../src/store/leases.ts';
import type { Store } from '../../src/store/store.ts';
import { account, bothEngines, freePlan, openTestStore, type Engine } from '../store/support.ts';
import { costs, type LedgerAnswer, type LedgerProcessOptions } from '../support/ledger-process.ts';
import { eventually } from '../transport/eventually.ts';
import { leasesEnded } from './leases-ended.ts';
import { awayFromMidnight } from './midnight.ts';
import { addServed, creditsOf, startLedgerProcess, type LedgerProcess } from './processes.ts';

/** A store with one account, and instances on it, each a process of its own. */
async function startAll(
  engine: Engine,
  times: Pick<LedgerProcessOptions, 'creditsPerDay' | 'ttl_ms' | 'tick_ms'>,
): Promise<{ store: Store; all: LedgerProcess[] }> {
  const address = await engine.address();
  const store = await openTestStore(address);
  await store.putPlan({ ...freePlan, creditsPerDay: times.creditsPerDay });
  await store.putAccount(account);
  const options = { store: address, accountId: 'acme', ...times };
  const all = await Promise.all(
    ['a', 'b', 'c'].map((seed) => startLedgerProcess({ ...options, seed })),
  );
  return { store, all };
}

/** What the store has of the account's day, by method. */
function usedByMethod({ usage }: DayReport): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const row of usage) {
    expect(row.credits).toBe(row.calls * costs[row.method as 'a' | 'b']);
    calls[row.method] = (calls[row.method] ?? 0) + row.calls;
  }
  return calls;
}

function servedBy(all: readonly LedgerProcess[]): Promise<Record<'a' | 'b', number>[]> {
  return Promise.all(all.map((each) => each.served()));
}

async function stopAll(all: readonly LedgerProcess[]): Promise<void> {
  await Promise.all(all.map((each) => each.stop()));
}

describe.each(bothEngines())('several instances on one $name', (engine) => {
  it('charge exactly what they served, with at most one store operation per 100 calls', async () => {
    await awayFromMidnight();
    // As the gateway has them, so that a busy machine has no more of them for as many calls.
    const times = { ttl_ms: 15_000, tick_ms: 500 };
    const { store, all } = await startAll(engine, { creditsPerDay: 15_000_000, ...times });
    const order = { calls: 5_000, concurrency: 100, max_ms: 4, failing: 0.05 };
    const callAll = (calls: number): Promise<LedgerAnswer[]> =>
      Promise.all(all.map((each) => each.call({ ...order, calls })));
    const started = await callAll(500);
    const answers = await callAll(5_000);
    for (const [index, { served, failed, refused, operations }] of answers.entries()) {
      expect({ done: served + failed, refused }).toEqual({ done: 5_000, refused: {} });
      expect(operations - started[index]!.operations).toBeLessThanOrEqual(50);
    }
    await stopAll(all);
    const served = await servedBy(all);
    const day = await store.readToday({ accountId: 'acme' });
    expect(usedByMethod(day)).toEqual(addServed(served));
    expect(day).toMatchObject({ spent: creditsOf(served), leased: 0, lost: 0 });
  });

  it('spend no more than the balance when one is killed, and lose what it held', async () => {
    await awayFromMidnight();
    const { store, all } = await startAll(engine, { creditsPerDay: 1_000_000, ttl_ms: 1_500 });
    const order = { calls: 6_000, concurrency: 100, max_ms: 15, failing: 0.05 };
    const calling = all.map((each) => each.call(order));
    // Only one that serves holds something.
    const servedByDoomed = async (): Promise<number> => (await all[1]!.served()).a;
    await expect.poll(servedByDoomed, { interval: 20 }).toBeGreaterThan(50);
    all[1]!.signal('SIGKILL');
    const answers = await Promise.all(calling);
    const survivors = [all[0]!, all[2]!];
    await stopAll(survivors);
    await leasesEnded(store);
    const served = creditsOf(await servedBy(all));
    const { spent, lost } = await store.readToday({ accountId: 'acme' });
    expect(served).toBeLessThanOrEqual(spent + lost);
    expect(spent + lost).toBeLessThanOrEqual(1_000_000);
    expect(spent).toBeGreaterThanOrEqual(creditsOf(await servedBy(survivors)));
    expect(lost).toBeGreaterThan(0);
    const refused = [answers[0]!, answers[2]!].map((answer) => answer.refused);
    for (const reasons of refused) expect(reasons['store_unavailable']).toBeUndefined();
    // The two alone wanted more than there was: what the dead one did not hold has been sold.
    const exhausted = refused.map((reasons) => reasons['credits_exhausted'] ?? 0);
    expect(exhausted[0]! + exhausted[1]!).toBeGreaterThan(0);
    expect(spent + lost).toBeGreaterThan(1_000_000 - 2 * 10_000);
  });

  it('spend the last credit', async () => {
    await awayFromMidnight();
    // A process of a busy machine may stand still for a second: no lease ends by that.
    const times = { ttl_ms: 6_000, tick_ms: 30 };
    const { store, all } = await startAll(engine, { creditsPerDay: 40_000, ...times });
    const order = { calls: 60, concurrency: 20, max_ms: 5, failing: 0.3 };
    let remaining = 40_000;
    while (remaining >= costs.a) {
      await Promise.all(all.map((each) => each.call(order)));
      const { allowance, spent, lost } = await store.readToday({ accountId: 'acme' });
      remaining = allowance - spent - lost;
      expect(lost).toBe(0);
    }
    await stopAll(all);
    const day = await store.readToday({ accountId: 'acme' });
    expect(day).toMatchObject({ leased: 0, spent: creditsOf(await servedBy(all)) });
    expect(40_000 - day.spent).toBeLessThan(costs.a);
  });

  it('report their own calls when one was paused for longer than its lease', async () => {
    await awayFromMidnight();
    const { store, all } = await startAll(engine, { creditsPerDay: 15_000_000, ttl_ms: 1_000 });
    const order = { calls: 3_000, concurrency: 50, max_ms: 20, failing: 0.05 };
    const calling = all.map((each, index) =>
      each.call(index === 1 ? { ...order, pauseAfter: 500 } : order),
    );
    await Promise.all([calling[0], calling[2]]);
    const lost = async (): Promise<number> => {
      await store.closeExpiredLeases(null);
      return (await store.readToday({ accountId: 'acme' })).lost;
    };
    await eventually(lost).toBeGreaterThan(0);
    const held = await lost();
    all[1]!.signal('SIGCONT');
    const { served: servedByPaused, failed } = (await calling[1])!;
    expect(servedByPaused + failed).toBe(3_000);
    await all[1]!.stop([1]);
    // On a busy machine, the others may have been late, too.
    await Promise.all([all[0]!, all[2]!].map((each) => each.stop([0, 1])));
    const served = await servedBy(all);
    const day = await store.readToday({ accountId: 'acme' });
    expect(usedByMethod(day)).toEqual(addServed(served));
    expect(day).toMatchObject({ spent: creditsOf(served), leased: 0 });
    expect(day.lost).toBeLessThanOrEqual(held);
  });
});
