import { utcDay } from '../../time/day.ts';
import type { DayTotals, UsageListing, UsageQuestion } from '../administration.ts';
import type { Operation, Row } from '../database.ts';
import type { UsageRow } from '../records.ts';

/** Rows told of at once; who needs more asks for fewer days or one account. */
const MOST_ROWS = 100_000;

/** What accounts used, by day, key and method, and what became of the rest. */
export const listUsage: Operation<UsageQuestion, UsageListing> = {
  access: 'read',
  async run(transaction, { accountId, from, to }) {
    const { query } = transaction;
    const now_ms = await transaction.now_ms();
    const today = utcDay(now_ms);
    const ofAccount = accountId === undefined ? '' : 'AND account_id = ?';
    const values = [from ?? today, to ?? today, ...(accountId === undefined ? [] : [accountId])];
    const select = (columns: string, table: string, rest: string): Promise<readonly Row[]> =>
      query(
        `SELECT ${columns} FROM ${table} WHERE day >= ? AND day <= ? ${ofAccount} ${rest}`,
        values,
      );
    const rows = await select(
      'account_id, day, key_id, method, calls, credits',
      'usage',
      `ORDER BY day, account_id, key_id, method LIMIT ${MOST_ROWS + 1}`,
    );
    const balances = await select(
      'account_id, day, spent, forfeited',
      'balances',
      `ORDER BY day, account_id LIMIT ${MOST_ROWS + 1}`,
    );
    const leases = await select(
      'account_id, day, sum(held) AS held',
      'leases',
      `AND state = 'open' GROUP BY account_id, day`,
    );
    const keyOf = (row: Row): string => `${row['day']} ${row['account_id']}`;
    const held = new Map(leases.map((row) => [keyOf(row), Number(row['held'])]));
    return {
      today,
      days: balances.slice(0, MOST_ROWS).map((row): DayTotals => ({
        accountId: String(row['account_id']),
        day: String(row['day']),
        spent: Number(row['spent']),
        forfeited: Number(row['forfeited']),
        leased: held.get(keyOf(row)) ?? 0,
      })),
      rows: rows.slice(0, MOST_ROWS).map((row): UsageRow => ({
        accountId: String(row['account_id']),
        day: String(row['day']),
        keyId: String(row['key_id']),
        method: String(row['method']),
        calls: Number(row['calls']),
        credits: Number(row['credits']),
      })),
      isCut: rows.length > MOST_ROWS || balances.length > MOST_ROWS,
    };
  },
};
