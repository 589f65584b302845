import type { Operation } from '../database.ts';
import { lockDay } from './account-day.ts';

/** Days of accounts looked at in one go; the next go takes the others. */
const MOST_DAYS = 32;

/** How long a closed lease is remembered, for a holder that reports late. */
const REMEMBERED_MS = 2 * 86_400_000;

/**
 * Closes leases that were not renewed in time, whoever held them, and forgets those closed long ago.
 * Resolves to how many days of accounts had any; at most 32 are looked at.
 */
export const closeExpiredLeases: Operation<null, number> = {
  access: 'write',
  async run(transaction) {
    const { query } = transaction;
    const now_ms = await transaction.now_ms();
    const days = await query(
      `SELECT DISTINCT account_id, day FROM leases WHERE state = 'open' AND expires_at_ms <= ?
       ORDER BY account_id, day LIMIT ${MOST_DAYS}`,
      [now_ms],
    );
    for (const row of days) {
      const of = { accountId: String(row['account_id']), day: String(row['day']) };
      await lockDay(query, of, { now_ms });
    }
    await query(`DELETE FROM leases WHERE state <> 'open' AND expires_at_ms < ?`, [
      now_ms - REMEMBERED_MS,
    ]);
    return days.length;
  },
};
