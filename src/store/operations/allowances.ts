import type { Query } from '../database.ts';

/** Credits a day of each account there is: its own, else its plan's, else none. */
export async function readAllowances(
  query: Query,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await query(
    `SELECT a.id AS id, COALESCE(a.credits_per_day, p.credits_per_day, 0) AS allowance
     FROM accounts a JOIN plans p ON p.name = a.plan
     WHERE a.id IN (${accountIds.map(() => '?').join(', ')})`,
    accountIds,
  );
  return new Map(rows.map((row) => [String(row['id']), Number(row['allowance'])]));
}
