import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/operations/migrations.ts';
import { bothEngines, openTestStore } from './support.ts';

/** Runs statements in a store without opening it as one. */
async function execute(address: string, statements: readonly string[]): Promise<void> {
  if (!address.startsWith('postgres')) {
    const database = new DatabaseSync(address);
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ connectionString: address });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const day = '2026-11-21';

/** What a gateway wrote before expired leases were called so (schema version 5). */
const version5 = [
  ...migrations.slice(0, 5).flat(),
  'CREATE TABLE schema_version (version INTEGER PRIMARY KEY)',
  'INSERT INTO schema_version (version) VALUES (1), (2), (3), (4), (5)',
  'UPDATE revision SET value = 1',
  `INSERT INTO plans (name, credits_per_day, calls_per_second, forwarding, revision)
   VALUES ('free', 1000, 25, 0, 1)`,
  `INSERT INTO accounts (id, plan, revision) VALUES ('acme', 'free', 1)`,
  `INSERT INTO keys (id, account_id, hash, prefix, revision)
   VALUES ('key-1', 'acme', 'hash-1', 'acme', 1)`,
  `INSERT INTO balances (account_id, day, spent, forfeited) VALUES ('acme', '${day}', 80, 20)`,
  `INSERT INTO leases (id, account_id, day, state, held, reports, rate, expires_at_ms)
   VALUES ('lease-1', 'acme', '${day}', 'forfeited', 20, 1, 1, 1)`,
];

describe.each(bothEngines())('a store of an older version on $name', (engine) => {
  it('keeps its accounts, keys and balances when it is opened', async () => {
    const address = await engine.address();
    await execute(address, version5);
    const store = await openTestStore(address);
    const { plans, accounts, keys } = await store.readChanges(0);
    expect([plans, accounts, keys].map(({ length }) => length)).toEqual([1, 1, 1]);
    const { days } = await store.listUsage({ accountId: 'acme', from: day, to: day });
    expect(days).toMatchObject([{ accountId: 'acme', spent: 80, lost: 20 }]);
  });
});
