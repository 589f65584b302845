import type { Database, Query, Row } from './database.ts';
import type { Account, AllowLists, Changes, Key, Plan } from './records.ts';

/** All that changed after `revision`; from 0, everything. */
export async function readChanges(database: Database, revision: number): Promise<Changes> {
  const [newest] = await database.query(`SELECT value FROM revision WHERE id = 1`);
  if (Number(newest?.['value']) === revision) {
    return { revision, plans: [], accounts: [], keys: [] };
  }
  return database.transaction(async (query) => {
    const [row] = await query(`SELECT value FROM revision WHERE id = 1`);
    const since = (table: string): Promise<readonly Row[]> =>
      query(`SELECT * FROM ${table} WHERE revision > ?`, [revision]);
    return {
      revision: Number(row?.['value']),
      plans: (await since('plans')).map(toPlan),
      accounts: (await since('accounts')).map(toAccount),
      keys: (await since('keys')).map(toKey),
    };
  });
}

/** Creates or replaces a plan. */
export function putPlan(database: Database, plan: Plan): Promise<void> {
  return change(database, async (query, revision) => {
    await query(
      `INSERT INTO plans (name, credits_per_day, calls_per_second, forwarding, revision)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
       credits_per_day = excluded.credits_per_day, calls_per_second = excluded.calls_per_second,
       forwarding = excluded.forwarding, revision = excluded.revision`,
      [plan.name, plan.creditsPerDay, plan.callsPerSecond, Number(plan.forwarding), revision],
    );
  });
}

/** Creates or replaces an account; its plan must exist. */
export function putAccount(database: Database, account: Account): Promise<void> {
  const { id, plan, creditsPerDay, callsPerSecond } = account;
  return change(database, async (query, revision) => {
    await query(
      `INSERT INTO accounts (id, plan, credits_per_day, calls_per_second, revision)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET plan = excluded.plan,
       credits_per_day = excluded.credits_per_day, calls_per_second = excluded.calls_per_second,
       revision = excluded.revision`,
      [id, plan, creditsPerDay, callsPerSecond, revision],
    );
  });
}

/** Creates or replaces a key; its account must exist. */
export function putKey(database: Database, key: Key): Promise<void> {
  const { id, accountId, hash, prefix, allow, expiresAt_ms, revokedAt_ms } = key;
  return change(database, async (query, revision) => {
    await query(
      `INSERT INTO keys (id, account_id, hash, prefix, allow, expires_at_ms, revoked_at_ms, revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       account_id = excluded.account_id, hash = excluded.hash, prefix = excluded.prefix,
       allow = excluded.allow, expires_at_ms = excluded.expires_at_ms,
       revoked_at_ms = excluded.revoked_at_ms, revision = excluded.revision`,
      [id, accountId, hash, prefix, JSON.stringify(allow), expiresAt_ms, revokedAt_ms, revision],
    );
  });
}

/** Changes rows under a new revision; both become visible together. */
function change(
  database: Database,
  write: (query: Query, revision: number) => Promise<void>,
): Promise<void> {
  return database.transaction(async (query) => {
    const [row] = await query(`UPDATE revision SET value = value + 1 WHERE id = 1 RETURNING value`);
    await write(query, Number(row?.['value']));
  });
}

function toPlan(row: Row): Plan {
  return {
    name: String(row['name']),
    creditsPerDay: toNumber(row['credits_per_day']),
    callsPerSecond: toNumber(row['calls_per_second']),
    forwarding: Number(row['forwarding']) === 1,
  };
}

function toAccount(row: Row): Account {
  return {
    id: String(row['id']),
    plan: String(row['plan']),
    creditsPerDay: toNumber(row['credits_per_day']),
    callsPerSecond: toNumber(row['calls_per_second']),
  };
}

function toKey(row: Row): Key {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    hash: String(row['hash']),
    prefix: String(row['prefix']),
    allow: JSON.parse(String(row['allow'] ?? '{}')) as AllowLists,
    expiresAt_ms: toNumber(row['expires_at_ms']),
    revokedAt_ms: toNumber(row['revoked_at_ms']),
  };
}

/** Engines differ in how they hand out 64-bit integers; ours stay below 2^53. */
function toNumber(value: Row[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
