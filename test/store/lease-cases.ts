import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LeaseReply, LeaseRequest } from '../../src/store/leases.ts';
import type { Store } from '../../src/store/store.ts';
import { account, freePlan, openTestStore, type Engine } from './support.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');
const terms = { ttl_ms: 10_000, max_call_credits: 1_000 };
const use = (credits: number, calls = 1) => ({ keyId: 'key-1', method: 'eth_a', calls, credits });

interface Bench {
  readonly store: Store;
  readonly clock: { now_ms: number };
  ask(leaseId: string, request: Partial<LeaseRequest> & { report: number }): Promise<LeaseReply>;
}

/** A store with one account of 1,000,000 credits a day, and a clock of its own. */
async function openBench(engine: Engine): Promise<Bench> {
  const clock = { now_ms: noon_ms };
  const store = await openTestStore(await engine.address(), { now_ms: () => clock.now_ms });
  await store.putPlan({ ...freePlan, creditsPerDay: 1_000_000 });
  await store.putAccount(account);
  return {
    store,
    clock,
    async ask(leaseId, request) {
      const blank = {
        usage: [],
        returned: 0,
        needs: [],
        rate: 1_000,
        callRate: 60,
        isClosing: false,
      };
      const full = { leaseId, accountId: 'acme', ...blank, ...request };
      return (await store.renewLeases({ requests: [full], ...terms }))[0]!;
    },
  };
}

/** What holds of leases on either engine. */
export function testLeases(engine: Engine): void {
  it("are granted for the store's day and end with the day or their life", async () => {
    const { ask, clock } = await openBench(engine);
    expect(await ask('a', { report: 1 })).toMatchObject({
      state: 'open',
      day: '2026-11-21',
      isToday: true,
      held: 8_750,
      expiresIn_ms: 10_000,
      dayEndsIn_ms: 43_200_000,
      allowance: 1_000_000,
      spent: 0,
      remaining: 991_250,
    });
    clock.now_ms = Date.parse('2026-11-21T23:59:59.400Z');
    expect(await ask('b', { report: 1 })).toMatchObject({ dayEndsIn_ms: 600 });
  });

  it('record reported usage and are topped up', async () => {
    const { store, ask } = await openBench(engine);
    await ask('a', { report: 1 });
    const usage = [use(800, 10), { ...use(150), keyId: 'key-2', method: 'eth_b' }];
    expect(await ask('a', { report: 2, usage })).toMatchObject({ held: 8_750, spent: 950 });
    const { spent, leased, usage: rows, reports } = await store.readToday({ accountId: 'acme' });
    expect({ spent, leased, reports }).toEqual({ spent: 950, leased: 8_750, reports: { a: 2 } });
    expect(
      rows.map(({ keyId, method, calls, credits }) => [keyId, method, calls, credits]),
    ).toEqual([
      ['key-1', 'eth_a', 10, 800],
      ['key-2', 'eth_b', 1, 150],
    ]);
  });

  it('apply a repeated report once', async () => {
    const { store, ask } = await openBench(engine);
    const granted = await ask('a', { report: 1, needs: [80] });
    const again = await ask('a', { report: 1, needs: [80] });
    expect(again).toMatchObject({ held: granted.held, isRepeated: true });
    await ask('a', { report: 2, usage: [use(100)], returned: 500 });
    const repeated = await ask('a', { report: 2, usage: [use(100)], returned: 500 });
    expect(repeated).toMatchObject({ isRepeated: true, spent: 100 });
    expect(await ask('a', { report: 1, needs: [80] })).toMatchObject({ isRepeated: true });
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 100,
      leased: repeated.held,
    });
  });

  it('end when everything is returned', async () => {
    const { store, ask } = await openBench(engine);
    await ask('a', { report: 1 });
    const kept = await ask('a', { report: 2, returned: 8_670, isClosing: true });
    expect(kept).toMatchObject({ state: 'open', held: 80, remaining: 999_920 });
    const closed = await ask('a', { report: 3, usage: [use(80)], isClosing: true });
    expect(closed).toMatchObject({ state: 'returned', held: 0, remaining: 999_920 });
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 80,
      leased: 0,
      lost: 0,
    });
    expect(await ask('a', { report: 4 })).toMatchObject({ state: 'open', held: 8_750 });
  });

  it('that are closed are read only if they are asked for', async () => {
    const { store, ask } = await openBench(engine);
    for (const id of ['a', 'b', 'c']) {
      await ask(id, { report: 1 });
      const { held } = await ask(id, { report: 2 });
      await ask(id, { report: 3, returned: held, isClosing: true });
    }
    await ask('d', { report: 1 });
    const read = async (...leaseIds: string[]) =>
      (await store.readToday({ accountId: 'acme', leaseIds })).reports;
    expect(await read()).toEqual({ d: 1 });
    expect(await read('b', 'd', 'unknown')).toEqual({ b: 3, d: 1 });
  });

  it('that are not renewed in time expire, and their credits are lost', async () => {
    const { store, ask, clock } = await openBench(engine);
    await ask('dead', { report: 1 });
    await ask('dead', { report: 2, usage: [use(750)], returned: 0 });
    clock.now_ms += 9_999;
    expect(await ask('b', { report: 1 })).toMatchObject({ lost: 0, held: 1_250 });
    clock.now_ms += 1;
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      lost: 8_750,
      leased: 1_250,
    });
    const reply = await ask('b', { report: 2 });
    expect(reply).toMatchObject({ lost: 8_750, held: 8_750, spent: 750 });
    expect(reply.remaining).toBe(1_000_000 - 750 - 8_750 - 8_750);
  });

  it('that expired still accept late reports, and nothing else', async () => {
    const { store, ask, clock } = await openBench(engine);
    await ask('slow', { report: 1 });
    clock.now_ms += 10_000;
    const late = await ask('slow', {
      report: 2,
      usage: [use(240, 3)],
      returned: 8_510,
      needs: [80],
    });
    expect(late).toMatchObject({ state: 'expired', held: 0, spent: 240, lost: 8_510 });
    const later = await ask('slow', { report: 3, usage: [use(80)], isClosing: true });
    expect(later).toMatchObject({ state: 'expired', held: 0, spent: 320, lost: 8_430 });
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({
      spent: 320,
      lost: 8_430,
      leased: 0,
    });
  });

  it('of accounts without further calls are closed too', async () => {
    const { store, ask, clock } = await openBench(engine);
    await ask('a', { report: 1 });
    clock.now_ms += 9_000;
    expect(await store.closeExpiredLeases(null)).toBe(0);
    clock.now_ms += 1_000;
    expect(await store.closeExpiredLeases(null)).toBe(1);
    expect(await store.closeExpiredLeases(null)).toBe(0);
    expect(await ask('a', { report: 2 })).toMatchObject({ state: 'expired' });
    clock.now_ms += 3 * 86_400_000;
    await store.closeExpiredLeases(null);
    expect(await ask('a', { report: 3, usage: [use(80)] })).toMatchObject({ state: 'unknown' });
  });

  it('of a past day accept reports and grant nothing', async () => {
    const { store, ask, clock } = await openBench(engine);
    clock.now_ms = Date.parse('2026-11-21T23:59:59Z');
    await ask('a', { report: 1 });
    clock.now_ms += 2_000;
    const over = await ask('a', { report: 2, usage: [use(80)], returned: 8_590, needs: [80] });
    expect(over).toMatchObject({ day: '2026-11-21', isToday: false, state: 'open', held: 80 });
    expect(over).toMatchObject({ dayEndsIn_ms: 0, expiresIn_ms: 10_000 });
    expect(await ask('b', { report: 1 })).toMatchObject({ day: '2026-11-22', spent: 0 });
    const last = await ask('a', { report: 3, usage: [use(80)], isClosing: true });
    expect(last).toMatchObject({ state: 'returned', spent: 160 });
    const yesterday = { accountId: 'acme', from: '2026-11-21', to: '2026-11-21' };
    expect((await store.listUsage(yesterday)).rows).toMatchObject([{ calls: 2, credits: 160 }]);
    expect(await store.readToday({ accountId: 'acme' })).toMatchObject({ spent: 0, usage: [] });
  });

  it('are shared in proportion to the usage of their holders', async () => {
    const { ask } = await openBench(engine);
    await ask('busy', { report: 1, rate: 3_000 });
    await ask('quiet', { report: 1, rate: 1_000 });
    const busy = await ask('busy', { report: 2, rate: 3_000, returned: 8_750 });
    const quiet = await ask('quiet', { report: 2, rate: 1_000 });
    const newcomer = await ask('newcomer', { report: 1, rate: null });
    expect(newcomer).toMatchObject({ held: 625 });
    expect(busy).toMatchObject({ held: 6_562, share: 6_562 });
    expect(quiet).toMatchObject({ held: 2_187, share: 2_187 });
  });

  it('come with shares of the calls per second that add up to 1', async () => {
    const { ask } = await openBench(engine);
    expect(await ask('busy', { report: 1, callRate: null })).toMatchObject({ callShare: 1 });
    expect(await ask('busy', { report: 2, callRate: 900 })).toMatchObject({ callShare: 1 });
    expect(await ask('quiet', { report: 1, callRate: null })).toMatchObject({ callShare: 0.5 });
    const quiet = await ask('quiet', { report: 2, callRate: 100 });
    const busy = await ask('busy', { report: 3, callRate: 900 });
    expect(quiet.callShare).toBeCloseTo(0.125 + 0.075, 9);
    expect(busy.callShare).toBeCloseTo(0.125 + 0.675, 9);
    await ask('quiet', { report: 3, returned: quiet.held, isClosing: true });
    expect(await ask('busy', { report: 4, callRate: 0 })).toMatchObject({ callShare: 1 });
  });

  it('end for a deleted account and follow a new plan with the next request', async () => {
    const { store, ask } = await openBench(engine);
    const request = { leaseId: 'x', accountId: 'unknown', report: 1, usage: [], returned: 0 };
    const batch = [{ ...request, needs: [1], rate: null, callRate: 60, isClosing: false }];
    const [none] = await store.renewLeases({ requests: batch, ...terms });
    expect(none).toMatchObject({ allowance: 0, held: 0, remaining: 0 });
    await ask('a', { report: 1 });
    await store.putAccount({ ...account, creditsPerDay: 5_000_000 });
    expect(await ask('a', { report: 2 })).toMatchObject({ allowance: 5_000_000, held: 43_750 });
  });

  it('never add up to more than the allowance under concurrent requests', async () => {
    const address = await engine.address();
    const clock = { now_ms: noon_ms };
    const now_ms = (): number => clock.now_ms;
    const stores = await Promise.all([1, 2, 3].map(() => openTestStore(address, { now_ms })));
    const [store] = stores as [Store];
    await store.putPlan({ ...freePlan, creditsPerDay: 3_000 });
    let run = 0;
    const steps = fc.array(
      fc.record({
        holder: fc.nat(2),
        needs: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 4 }),
        spentPart: fc.double({ min: 0, max: 1, noNaN: true }),
        returnedPart: fc.double({ min: 0, max: 1, noNaN: true }),
        passes_ms: fc.constantFrom(0, 0, 0, 0, 4_000),
      }),
      { minLength: 3, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        run += 1;
        const accountId = `account-${run}`;
        await store.putAccount({ ...account, id: accountId });
        const holders = stores.map((_, index) => ({ id: `${run}-${index}`, report: 0, held: 0 }));
        let spent = 0;
        for (let at = 0; at < all.length; at += 3) {
          // Each holder asks at most once at a time, as holders do.
          const together = new Map(all.slice(at, at + 3).map((step) => [step.holder, step]));
          await Promise.all(
            [...together].map(async ([index, { needs, spentPart, returnedPart }]) => {
              const holder = holders[index]!;
              holder.report += 1;
              const credits = Math.floor(holder.held * spentPart);
              const returned = Math.floor((holder.held - credits) * returnedPart);
              spent += credits;
              const request: LeaseRequest = {
                leaseId: holder.id,
                accountId,
                report: holder.report,
                usage: [use(credits)],
                returned,
                needs,
                rate: 100 * (index + 1),
                callRate: 60,
                isClosing: false,
              };
              const [reply] = await stores[index]!.renewLeases({ requests: [request], ...terms });
              holder.held = reply!.held;
              if (reply!.state === 'expired') {
                holder.id = `${holder.id}'`;
                holder.report = 0;
              }
            }),
          );
          const day = await store.readToday({ accountId });
          expect(day.spent).toBe(spent);
          expect(day.usage.reduce((sum, { credits }) => sum + credits, 0)).toBe(spent);
          expect(day.spent + day.lost + day.leased).toBeLessThanOrEqual(3_000);
          clock.now_ms += Math.max(...[...together.values()].map(({ passes_ms }) => passes_ms));
        }
      }),
      { numRuns: 25 },
    );
  });
}
