import type { Query } from '../database.ts';
import type { UsageRow } from '../records.ts';

/** Rows an INSERT takes at once: well below either engine's limit of parameters. */
const ROWS_A_STATEMENT = 200;

export interface AccountDay {
  readonly accountId: string;
  /** UTC, `2026-11-21`. */
  readonly day: string;
}

/**
 * Adds calls and credits to what is there; no two rows may be of the same account, day, key and
 * method.
 */
export async function insertUsage(query: Query, rows: readonly UsageRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const chunk = rows.slice(start, start + ROWS_A_STATEMENT);
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

/** What an account used on a UTC day, by key and method. */
export async function readUsage(
  query: Query,
  { accountId, day }: AccountDay,
): Promise<readonly UsageRow[]> {
  const rows = await query(
    `SELECT key_id, method, calls, credits FROM usage WHERE account_id = ? AND day = ?
     ORDER BY key_id, method`,
    [accountId, day],
  );
  return rows.map((row) => ({
    accountId,
    day,
    keyId: String(row['key_id']),
    method: String(row['method']),
    calls: Number(row['calls']),
    credits: Number(row['credits']),
  }));
}

/** The same usage in rows that differ at least in account, key, day or method. */
export function mergeUsage(rows: readonly UsageRow[]): readonly UsageRow[] {
  const merged = new Map<string, { -readonly [Field in keyof UsageRow]: UsageRow[Field] }>();
  for (const row of rows) {
    const key = [row.accountId, row.keyId, row.day, row.method].join('\n');
    const held = merged.get(key);
    if (held === undefined) {
      merged.set(key, { ...row });
    } else {
      held.calls += row.calls;
      held.credits += row.credits;
    }
  }
  return [...merged.values()];
}
