import { utcDay } from '../../time/day.ts';
import { read, type Query } from '../database.ts';
import type { DayTotals, UsageListing, UsageQuery, UsageRow } from '../records.ts';
import { columns } from './rows.ts';

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

/** Reads an account's usage on a UTC day, by key and method. */
export async function readUsage(
  query: Query,
  { accountId, day }: AccountDay,
): Promise<readonly UsageRow[]> {
  return query<UsageRow>(
    `SELECT ${columns.usage} FROM usage WHERE account_id = ? AND day = ? ORDER BY key_id, method`,
    [accountId, day],
  );
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
export const listUsage = read<UsageQuery, UsageListing>(
  async ({ query, now_ms }, { accountId, from, to }) => {
    const today = utcDay(await now_ms());
    const where = `WHERE day >= ? AND day <= ? ${accountId === undefined ? '' : 'AND account_id = ?'}`;
    const values = [from ?? today, to ?? today, ...(accountId === undefined ? [] : [accountId])];
    const rows = await query<UsageRow>(
      `SELECT ${columns.usage} FROM usage ${where}
       ORDER BY day, account_id, key_id, method LIMIT ${MAX_ROWS + 1}`,
      values,
    );
    const balances = await query<Omit<DayTotals, 'leased'>>(
      `SELECT account_id, day, spent, lost FROM balances ${where}
       ORDER BY day, account_id LIMIT ${MAX_ROWS + 1}`,
      values,
    );
    const leases = await query<Pick<DayTotals, 'accountId' | 'day' | 'leased'>>(
      `SELECT account_id, day, sum(held) AS leased FROM leases ${where}
       AND state = 'open' GROUP BY account_id, day`,
      values,
    );
    const keyOf = (of: AccountDay): string => `${of.day} ${of.accountId}`;
    const leased = new Map(leases.map((row) => [keyOf(row), row.leased]));
    return {
      today,
      days: balances
        .slice(0, MAX_ROWS)
        .map((totals) => ({ ...totals, leased: leased.get(keyOf(totals)) ?? 0 })),
      rows: rows.slice(0, MAX_ROWS),
      isTruncated: rows.length > MAX_ROWS || balances.length > MAX_ROWS,
    };
  },
);
