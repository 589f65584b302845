import type { Query, Row, Value } from '../database.ts';
import type { Account, AllowLists, Key, KeyEntry, Plan } from '../records.ts';

/** Values by column name. */
export type Columns = Readonly<Record<string, Value>>;

export async function insertRow(query: Query, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  const places = names.map(() => '?').join(', ');
  await query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`,
    Object.values(columns),
  );
}

/** Updates the row that `key` identifies. Resolves to the updated row, undefined if not found. */
export async function updateRow(
  query: Query,
  table: string,
  key: Columns,
  columns: Columns,
): Promise<Row | undefined> {
  const set = Object.keys(columns).map((column) => `${column} = ?`);
  const where = Object.keys(key).map((column) => `${column} = ?`);
  const [row] = await query(
    `UPDATE ${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')} RETURNING *`,
    [...Object.values(columns), ...Object.values(key)],
  );
  return row;
}

export function toPlan(row: Row): Plan {
  return {
    name: String(row['name']),
    creditsPerDay: toNumber(row['credits_per_day']),
    callsPerSecond: toNumber(row['calls_per_second']),
    forwarding: Number(row['forwarding']) === 1,
  };
}

export function toAccount(row: Row): Account {
  return {
    id: String(row['id']),
    plan: String(row['plan']),
    creditsPerDay: toNumber(row['credits_per_day']),
    callsPerSecond: toNumber(row['calls_per_second']),
    suspendedAt_ms: toNumber(row['suspended_at_ms']),
  };
}

export function toKey(row: Row): Key {
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

export function toKeyEntry(row: Row): KeyEntry {
  const label = row['label'] ?? null;
  return {
    ...toKey(row),
    label: label === null ? null : String(label),
    createdAt_ms: toNumber(row['created_at_ms']),
  };
}

/** The engines return 64-bit integers in different types; ours stay below 2^53. */
export function toNumber(value: Row[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
