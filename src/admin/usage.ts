import type { DayTotals, UsageQuery, UsageRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { findAccount, listAccounts } from './accounts.ts';
import { AdminError } from './values.ts';

/** An account's usage on one day; quota and remaining credits are known for the current day only. */
interface UsageDay extends DayTotals {
  readonly creditsPerDay: number | null;
  readonly remaining: number | null;
}

export interface UsageReport {
  readonly days: readonly UsageDay[];
  readonly rows: readonly UsageRow[];
}

/** Maximum number of runs of `closeExpiredLeases`, more than any number of stopped gateways needs. */
const MAX_CLOSINGS = 1_000;

/**
 * Reports what accounts used. Calls that running gateways have not reported yet are missing, for at
 * most the life of a lease. Throws AdminError if the account does not exist or the report is too
 * large.
 */
export async function reportUsage(store: Store, query: UsageQuery): Promise<UsageReport> {
  const { accountId, from, to } = query;
  if (from !== undefined && to !== undefined && from > to) {
    throw new AdminError(`--from ${from} is later than --to ${to}; swap them`);
  }
  await closeExpired(store);
  const listed =
    accountId === undefined ? await listAccounts(store) : [await findAccount(store, accountId)];
  const accounts = new Map(listed.map((account) => [account.id, account]));
  const { days, rows, today, isTruncated } = await store.listUsage(query);
  if (isTruncated) {
    throw new AdminError('too many rows; select fewer days, or one account with --account');
  }
  return {
    rows,
    days: days.map((totals) => {
      const account = totals.day === today ? accounts.get(totals.accountId) : undefined;
      if (account === undefined) return { ...totals, creditsPerDay: null, remaining: null };
      const { creditsPerDay } = account;
      const remaining = Math.max(0, creditsPerDay - totals.spent - totals.lost);
      return { ...totals, creditsPerDay, remaining };
    }),
  };
}

/** Credits of expired leases count as lost once the leases are closed. */
async function closeExpired(store: Store): Promise<void> {
  for (let closing = 1; closing <= MAX_CLOSINGS; closing += 1) {
    if ((await store.closeExpiredLeases(null)) === 0) return;
  }
}
