import { utcDay } from '../../time/day.ts';
import type { Operation, Query, Row } from '../database.ts';
import type { DayTotals, UsageListing, UsageQuery, UsageRow } from '../records.ts';

/** Rows per INSERT: well below the parameter limits of both engines. */
const ROWS_PER_STATEMENT = 200;

/** Maximum number of rows per listing. */
const MAX_ROWS = 100_000;

export interface AccountDay {
  readonly accountId: string;
  /** UTC, `2026-11-21`. */
  readonly day: string;
}

/** Adds calls and credits; no two rows may have the same account, day, key and method. */
export async function insertUsage(query: Query, rows: readonly UsageRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const chunk = rows.slice(start, start + ROWS_PER_STATEMENT);
    await query(
      `INSERT INTO usage (account_id, day, key_id, method, calls, credits)
       VALUES ${chunk.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
       ON CONFLICT (account_id, day, key_id, method) DO UPDATE SET
       calls = usage.calls + excluded.calls, credits = usage.credits + excluded.credits`,
      chunk.flatMap(({ accountId, day, keyId, method, calls, credits }) => [
        accountId,
        day,
        keyId,
        method,
        calls,
        credits,
      ]),
    );
  }
}

/** Reads an account's usage of a UTC day, by key and method. */
export async function readUsage(
  query: Query,
  { accountId, day }: AccountDay,
): Promise<readonly UsageRow[]> {
  const rows = await query(
    `SELECT * FROM usage WHERE account_id = ? AND day = ? ORDER BY key_id, method`,
    [accountId, day],
  );
  return rows.map(toUsageRow);
}

/** Sums the rows that have the same account, day, key and method. */
export function mergeUsage(rows: readonly UsageRow[]): readonly UsageRow[] {
  const merged = new Map<string, { -readonly [Field in keyof UsageRow]: UsageRow[Field] }>();
  for (const row of rows) {
    const key = [row.accountId, row.keyId, row.day, row.method].join('\n');
    const sum = merged.get(key);
    if (sum === undefined) {
      merged.set(key, { ...row });
    } else {
      sum.calls += row.calls;
      sum.credits += row.credits;
    }
  }
  return [...merged.values()];
}

/** Lists usage by day, key and method, and the totals of each account's day. */
export const listUsage: Operation<UsageQuery, UsageListing> = {
  access: 'read',
  async run(transaction, { accountId, from, to }) {
    const { query } = transaction;
    const today = utcDay(await transaction.now_ms());
    const ofAccount = accountId === undefined ? '' : 'AND account_id = ?';
    const values = [from ?? today, to ?? today, ...(accountId === undefined ? [] : [accountId])];
    const select = (columns: string, table: string, end: string): Promise<readonly Row[]> =>
      query(
        `SELECT ${columns} FROM ${table} WHERE day >= ? AND day <= ? ${ofAccount} ${end}`,
        values,
      );
    const usageOrder = 'ORDER BY day, account_id, key_id, method';
    const rows = await select('*', 'usage', `${usageOrder} LIMIT ${MAX_ROWS + 1}`);
    const dayOrder = 'ORDER BY day, account_id';
    const balances = await select('*', 'balances', `${dayOrder} LIMIT ${MAX_ROWS + 1}`);
    const leases = await select(
      'account_id, day, sum(held) AS held',
      'leases',
      `AND state = 'open' GROUP BY account_id, day`,
    );
    const keyOf = (row: Row): string => `${row['day']} ${row['account_id']}`;
    const held = new Map(leases.map((row) => [keyOf(row), Number(row['held'])]));
    return {
      today,
      days: balances.slice(0, MAX_ROWS).map((row): DayTotals => ({
        accountId: String(row['account_id']),
        day: String(row['day']),
        spent: Number(row['spent']),
        lost: Number(row['lost']),
        leased: held.get(keyOf(row)) ?? 0,
      })),
      rows: rows.slice(0, MAX_ROWS).map(toUsageRow),
      isTruncated: rows.length > MAX_ROWS || balances.length > MAX_ROWS,
    };
  },
};

function toUsageRow(row: Row): UsageRow {
  return {
    accountId: String(row['account_id']),
    day: String(row['day']),
    keyId: String(row['key_id']),
    method: String(row['method']),
    calls: Number(row['calls']),
    credits: Number(row['credits']),
  };
}
