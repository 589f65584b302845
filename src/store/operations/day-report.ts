import { endOfDay_ms, utcDay } from '../../time/day.ts';
import type { Operation } from '../database.ts';
import type { DayReport } from '../leases.ts';
import { readAllowances } from './allowances.ts';
import { readUsage } from './usage.ts';

/** An account's use of the store's present day. Leases that have expired count as forfeited. */
export const readToday: Operation<string, DayReport> = {
  access: 'read',
  async run(transaction, accountId) {
    const { query } = transaction;
    const now_ms = await transaction.now_ms();
    const day = utcDay(now_ms);
    const values = [accountId, day];
    const [balance] = await query(
      `SELECT spent, forfeited FROM balances WHERE account_id = ? AND day = ?`,
      values,
    );
    const leases = await query(
      `SELECT id, state, held, reports, expires_at_ms FROM leases
       WHERE account_id = ? AND day = ?`,
      values,
    );
    let [leased, lost] = [0, 0];
    for (const { state, held, expires_at_ms } of leases) {
      if (state !== 'open') continue;
      if (Number(expires_at_ms) > now_ms) leased += Number(held);
      else lost += Number(held);
    }
    const allowances = await readAllowances(query, [accountId]);
    return {
      accountId,
      day,
      dayEndsIn_ms: endOfDay_ms(day) - now_ms,
      allowance: allowances.get(accountId) ?? 0,
      spent: Number(balance?.['spent'] ?? 0),
      forfeited: Number(balance?.['forfeited'] ?? 0) + lost,
      leased,
      usage: await readUsage(query, { accountId, day }),
      reports: Object.fromEntries(leases.map(({ id, reports }) => [id, Number(reports)])),
    };
  },
};
