import type { Operation, Query, Row } from '../database.ts';
import type { Changes } from '../records.ts';
import { toAccount, toKey, toPlan } from './rows.ts';

/** Reads all rows that changed after a revision; 0 reads all rows. */
export const readChanges: Operation<number, Changes> = {
  access: 'read',
  async run({ query }, revision) {
    const [row] = await query(`SELECT value FROM revision WHERE id = 1`);
    const newest = Number(row?.['value']);
    if (newest === revision) return { revision, plans: [], accounts: [], keys: [] };
    const since = (table: string): Promise<readonly Row[]> =>
      query(`SELECT * FROM ${table} WHERE revision > ?`, [revision]);
    return {
      revision: newest,
      plans: (await since('plans')).map(toPlan),
      accounts: (await since('accounts')).map(toAccount),
      keys: (await since('keys')).map(toKey),
    };
  },
};

/**
 * Returns the revision for rows that this transaction changes. Blocks other changes until the
 * transaction ends, so that revisions become visible in order.
 */
export async function nextRevision(query: Query): Promise<number> {
  const [row] = await query(`UPDATE revision SET value = value + 1 WHERE id = 1 RETURNING value`);
  return Number(row?.['value']);
}
