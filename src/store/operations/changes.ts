import { read, type Query } from '../database.ts';
import type { Account, Changes } from '../records.ts';
import { columns, toKey, toPlan, type StoredKey, type StoredPlan } from './rows.ts';

/** Reads all rows that changed after a revision; 0 reads all rows. */
export const readChanges = read<number, Changes>(async ({ query }, known) => {
  const [newest] = await query<{ value: number }>(`SELECT value FROM revision WHERE id = 1`);
  const revision = newest!.value;
  if (revision === known) return { revision, plans: [], accounts: [], keys: [] };
  const since = <T>(selected: string, table: string): Promise<readonly T[]> =>
    query<T>(`SELECT ${selected} FROM ${table} WHERE revision > ?`, [known]);
  return {
    revision,
    plans: (await since<StoredPlan>(columns.plan, 'plans')).map(toPlan),
    accounts: await since<Account>(columns.account, 'accounts'),
    keys: (await since<StoredKey>(columns.key, 'keys')).map(toKey),
  };
});

/**
 * Returns the revision for rows that this transaction changes. Blocks other changes until the
 * transaction ends, so that revisions become visible in order.
 */
export async function nextRevision(query: Query): Promise<number> {
  const next = `UPDATE revision SET value = value + 1 WHERE id = 1 RETURNING value`;
  const [row] = await query<{ value: number }>(next);
  return row!.value;
}
