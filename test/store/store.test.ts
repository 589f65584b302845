import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/store/sqlite.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { account, freePlan, keyRecord, temporaryFolder } from './support.ts';

async function open(path: string): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

describe('the store', () => {
  it('tells what changed since a revision: plans, accounts and keys', async () => {
    const store = await open(':memory:');
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

  it('adds usage up per account, day, key and method, also in thousands of rows', async () => {
    const store = await open(':memory:');
    const day = '2026-11-21';
    const rows = Array.from({ length: 1_001 }, (_, index) => ({
      accountId: 'acme',
      keyId: `key-${index}`,
      day,
      method: 'eth_a',
      calls: 1,
      credits: 80,
    }));
    await store.addUsage(rows);
    await store.addUsage([rows[0]!, { ...rows[0]!, day: '2026-11-22' }]);
    expect(await store.creditsSpent('acme', day)).toBe(1_002 * 80);
    expect(await store.creditsSpent('acme', '2026-11-22')).toBe(80);
    expect(await store.creditsSpent('other', day)).toBe(0);
    const used = await store.usageOf('acme', day);
    expect(used).toHaveLength(1_001);
    expect(used.find(({ keyId }) => keyId === 'key-0')).toMatchObject({ calls: 2, credits: 160 });
  });

  it('keeps everything across a restart, and migrates once', async () => {
    const path = join(await temporaryFolder(), 'store.sqlite');
    const first = await openStore(path);
    await first.putPlan(freePlan);
    await first.close();
    const second = await open(path);
    expect((await second.readChanges(0)).plans).toEqual([freePlan]);
  });

  it('is seen by another process that has the same file open', async () => {
    const path = join(await temporaryFolder(), 'store.sqlite');
    const [gateway, administration] = [await open(path), await open(path)];
    await administration.putPlan(freePlan);
    expect((await gateway.readChanges(0)).plans).toEqual([freePlan]);
  });

  it('refuses what the schema does not allow, with a StoreError, and changes nothing', async () => {
    const store = await open(':memory:');
    await expect(store.putAccount(account)).rejects.toMatchObject({ name: 'StoreError' });
    expect((await store.readChanges(0)).revision).toBe(0);
  });

  it('answers with a StoreError once it is closed, or when the file cannot be opened', async () => {
    const store = await openStore(':memory:');
    await store.close();
    await expect(store.readChanges(0)).rejects.toMatchObject({ name: 'StoreError' });
    await expect(openStore('/nowhere/at/all.sqlite')).rejects.toMatchObject({ name: 'StoreError' });
  });
});

describe('a transaction', () => {
  it('lets no other statement in, and leaves nothing behind when it fails', async () => {
    const database = openSqlite(':memory:');
    onTestFinished(() => database.close());
    await database.query('CREATE TABLE t (a INTEGER)');
    const failing = database.transaction(async (query) => {
      await query('INSERT INTO t VALUES (1)');
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('no');
    });
    const meanwhile = database.query('SELECT count(*) AS n FROM t');
    await expect(failing).rejects.toThrow('no');
    expect(await meanwhile).toEqual([{ n: 0 }]);
  });
});
