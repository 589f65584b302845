import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../src/store/database.ts';
import type { LeaseBatch } from '../../src/store/leases.ts';
import { openStore } from '../../src/store/store.ts';
import { testLeases } from './lease-cases.ts';
import { account, bothEngines, freePlan, keyRecord, openTestStore, spentOn } from './support.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');
const everyDay = { accountId: undefined, from: '2000-01-01', to: '2100-01-01' };

/** A report of calls by many keys, on one lease. */
function reportOf(report: number, keys: number): LeaseBatch {
  const usage = Array.from({ length: keys }, (_, index) => ({
    keyId: `key-${index}`,
    method: 'eth_a',
    calls: 1,
    credits: 80,
  }));
  const rest = { returned: 0, needs: [], rate: 1, callRate: 60, isClosing: false };
  const requests = [{ leaseId: 'a', accountId: 'acme', report, usage, ...rest }];
  return { requests, ttl_ms: 1_000, max_call_credits: 1 };
}

describe.each(bothEngines())('the store on $name', (engine) => {
  it('lists the plans, accounts and keys that changed since a revision', async () => {
    const store = await openTestStore(await engine.address());
    expect(await store.readChanges(0)).toMatchObject({ revision: 0, keys: [] });
    await store.putPlan(freePlan);
    await store.putAccount({ ...account, creditsPerDay: 5 });
    const key = keyRecord({ allow: { methods: ['a'], origins: ['https://a'] }, expiresAt_ms: 7 });
    await store.putKey(key);
    const all = await store.readChanges(0);
    expect(all.plans).toEqual([freePlan]);
    expect(all.accounts).toEqual([{ ...account, creditsPerDay: 5 }]);
    expect(all.keys).toEqual([key]);

    await store.putKey({ ...key, revokedAt_ms: 9 });
    const changes = await store.readChanges(all.revision);
    expect(changes).toMatchObject({ plans: [], accounts: [], keys: [{ revokedAt_ms: 9 }] });
    expect((await store.readChanges(changes.revision)).revision).toBe(changes.revision);
  });

  it('keeps a key revoked when the configuration seeds it again', async () => {
    const store = await openTestStore(await engine.address());
    await store.putPlan(freePlan);
    await store.putAccount(account);
    await store.putKey(keyRecord({ revokedAt_ms: 9 }));
    await store.putKey(keyRecord({ revokedAt_ms: null, expiresAt_ms: 7 }));
    const { keys } = await store.readChanges(0);
    expect(keys).toMatchObject([{ revokedAt_ms: 9, expiresAt_ms: 7 }]);
  });

  it('sums usage per account, day, key and method, also in thousands of rows', async () => {
    const store = await openTestStore(await engine.address(), { now_ms: () => noon_ms });
    await store.renewLeases(reportOf(1, 1_001));
    await store.renewLeases(reportOf(2, 1));
    expect(await spentOn(store, '2026-11-21')).toBe(1_002 * 80);
    expect(await spentOn(store, '2026-11-22')).toBe(0);
    const { rows, days, isTruncated, today } = await store.listUsage(everyDay);
    expect({ today, isTruncated, count: rows.length }).toEqual({
      today: '2026-11-21',
      isTruncated: false,
      count: 1_001,
    });
    expect(rows.find(({ keyId }) => keyId === 'key-0')).toMatchObject({ calls: 2, credits: 160 });
    expect(days).toEqual([
      { accountId: 'acme', day: '2026-11-21', spent: 80_160, lost: 0, leased: 0 },
    ]);
  });

  it('keeps its data across a restart and migrates once', async () => {
    const address = await engine.address();
    const first = await openStore(address);
    await first.putPlan(freePlan);
    await first.close();
    const second = await openTestStore(address);
    expect((await second.readChanges(0)).plans).toEqual([freePlan]);
  });

  it('is migrated once when several processes open it at the same time', async () => {
    const address = await engine.address();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openTestStore(address)));
    await stores[0]!.putPlan(freePlan);
    for (const store of stores) expect((await store.readChanges(0)).plans).toEqual([freePlan]);
  });

  it('counts every concurrent change once', async () => {
    const address = await engine.address();
    const stores = await Promise.all(Array.from({ length: 3 }, () => openTestStore(address)));
    const names = Array.from({ length: 30 }, (_, index) => `plan-${index}`);
    await Promise.all(
      names.map((name, index) => stores[index % 3]!.putPlan({ ...freePlan, name })),
    );
    const { revision, plans } = await stores[0]!.readChanges(0);
    expect(revision).toBe(30);
    expect(plans.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('rejects invalid rows with a StoreError and changes nothing', async () => {
    const store = await openTestStore(await engine.address());
    await expect(store.putAccount(account)).rejects.toBeInstanceOf(StoreError);
    expect((await store.readChanges(0)).revision).toBe(0);
  });

  it('completes pending operations when closed and rejects later ones', async () => {
    const address = await engine.address();
    const store = await openStore(address);
    const putting = store.putPlan(freePlan);
    await store.close();
    await putting;
    await expect(store.readChanges(0)).rejects.toBeInstanceOf(StoreError);
    const again = await openTestStore(address);
    expect((await again.readChanges(0)).plans).toEqual([freePlan]);
  });

  it('rejects operations beyond the limit of waiting ones', async () => {
    const store = await openTestStore(await engine.address(), { waiting: 2, connections: 1 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => store.readChanges(0)),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(20);
    expect(refused[0]).toMatchObject({ reason: { message: 'the store is overloaded' } });
    expect(await store.readChanges(0)).toMatchObject({ revision: 0 });
  });

  it('does not block the event loop', async () => {
    const store = await openTestStore(await engine.address());
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    onTestFinished(() => clearImmediate(turning));
    for (let report = 1; report <= 25; report += 1) {
      await store.renewLeases(reportOf(report, 200));
    }
    // A reply may arrive in the same turn on a busy machine, but not every time.
    expect(turns).toBeGreaterThan(25);
  });

  describe('leases', () => testLeases(engine));
});

describe('the address of a store', () => {
  it('may be a path, sqlite:PATH or :memory:', async () => {
    for (const address of [':memory:', 'sqlite::memory:']) {
      const store = await openTestStore(address);
      expect(await store.readChanges(0)).toMatchObject({ revision: 0 });
    }
  });

  it('is rejected with a StoreError if it is unknown or cannot be opened', async () => {
    for (const address of [
      '/dev/null/no/folder.sqlite',
      'mysql://localhost/x',
      'sqlite:',
      'postgres://postgres@127.0.0.1:1/none',
    ]) {
      await expect(openStore(address)).rejects.toBeInstanceOf(StoreError);
    }
  });
});
