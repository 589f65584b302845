import type { Database } from './database.ts';
import type { UsageRow } from './records.ts';

/** Rows an INSERT takes at once: well below either engine's limit of parameters. */
const ROWS_A_STATEMENT = 200;

/** Adds calls and credits to what is already there: all of it or, when it rejects, nothing. */
export async function addUsage(database: Database, rows: readonly UsageRow[]): Promise<void> {
  await database.transaction(async (query) => {
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
  });
}

/** What an account used on a UTC day, by key and method. */
export async function usageOf(
  database: Database,
  accountId: string,
  day: string,
): Promise<readonly UsageRow[]> {
  const rows = await database.query(
    `SELECT key_id, method, calls, credits FROM usage WHERE account_id = ? AND day = ?`,
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

/** Sum of the credits an account used on a UTC day. */
export async function creditsSpent(
  database: Database,
  accountId: string,
  day: string,
): Promise<number> {
  const [row] = await database.query(
    `SELECT sum(credits) AS credits FROM usage WHERE account_id = ? AND day = ?`,
    [accountId, day],
  );
  return Number(row?.['credits'] ?? 0);
}
