import type { Query, Value } from '../database.ts';
import type { AllowLists, Key, Plan } from '../records.ts';

/** Values by the name of their field: `creditsPerDay` for the column `credits_per_day`. */
export type Fields = Readonly<Record<string, Value>>;

export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export async function insertRow(query: Query, table: string, fields: Fields): Promise<void> {
  await query(insertionOf(table, fields), Object.values(fields));
}

/** Inserts a row, or updates the one with the same key. */
export async function putRow(
  query: Query,
  table: string,
  key: string,
  fields: Fields,
): Promise<void> {
  const columns = Object.keys(fields).map(columnOf);
  const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const insertion = insertionOf(table, fields);
  await query(`${insertion} ON CONFLICT (${key}) DO UPDATE SET ${changes}`, Object.values(fields));
}

function insertionOf(table: string, fields: Fields): string {
  const columns = Object.keys(fields).map(columnOf);
  const places = columns.map(() => '?').join(', ');
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
}

/** Updates the row that `key` identifies. Resolves to whether it exists. */
export async function updateRow(
  query: Query,
  table: string,
  key: Fields,
  fields: Fields,
): Promise<boolean> {
  const assign = (values: Fields): string[] =>
    Object.keys(values).map((field) => `${columnOf(field)} = ?`);
  const updated = await query(
    `UPDATE ${table} SET ${assign(fields).join(', ')} WHERE ${assign(key).join(' AND ')} RETURNING 1`,
    [...Object.values(fields), ...Object.values(key)],
  );
  return updated.length > 0;
}

/** The columns that make up each type of record. */
export const columns = {
  plan: 'name, credits_per_day, calls_per_second, forwarding',
  account: 'id, plan, credits_per_day, calls_per_second, suspended_at_ms',
  key: 'id, account_id, hash, prefix, allow, expires_at_ms, revoked_at_ms',
  lease: 'id, state, held, reports, rate, call_rate, expires_at_ms',
  usage: 'account_id, key_id, day, method, calls, credits',
};

export type StoredPlan = Omit<Plan, 'forwarding'> & { readonly forwarding: number };

export function toPlan({ forwarding, ...plan }: StoredPlan): Plan {
  return { ...plan, forwarding: forwarding === 1 };
}

export type StoredKey = Omit<Key, 'allow'> & { readonly allow: string | null };

export function toKey({ allow, ...key }: StoredKey): Key {
  return { ...key, allow: JSON.parse(allow ?? '{}') as AllowLists };
}

/** Returns the fields that a configuration sets in a row as JSON, for comparison with the next one. */
export function seedOf(fields: Fields): string {
  const byColumn = Object.entries(fields).map(([field, value]) => [columnOf(field), value]);
  return JSON.stringify(Object.fromEntries(byColumn));
}
