import { putAccount, putKey, putPlan, readChanges } from './accounts.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations.ts';
import type { Account, Changes, Key, Plan, UsageRow } from './records.ts';
import { openSqlite } from './sqlite.ts';
import { addUsage, creditsSpent, usageOf } from './usage.ts';

/** Everything that outlives a gateway. Every method rejects with StoreError. */
export interface Store {
  readChanges(revision: number): Promise<Changes>;
  putPlan(plan: Plan): Promise<void>;
  putAccount(account: Account): Promise<void>;
  putKey(key: Key): Promise<void>;
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  usageOf(accountId: string, day: string): Promise<readonly UsageRow[]>;
  creditsSpent(accountId: string, day: string): Promise<number>;
  close(): Promise<void>;
}

/** Opens the SQLite file at `path`, creating and migrating it as needed. */
export async function openStore(path: string): Promise<Store> {
  const database = openSqlite(path);
  await migrate(database);
  return storeOf(database);
}

function storeOf(database: Database): Store {
  return {
    readChanges: (revision) => readChanges(database, revision),
    putPlan: (plan) => putPlan(database, plan),
    putAccount: (account) => putAccount(database, account),
    putKey: (key) => putKey(database, key),
    addUsage: (rows) => addUsage(database, rows),
    usageOf: (accountId, day) => usageOf(database, accountId, day),
    creditsSpent: (accountId, day) => creditsSpent(database, accountId, day),
    close: () => database.close(),
  };
}
