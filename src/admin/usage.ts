import type { DayTotals, UsageListing, UsageQuestion } from '../store/administration.ts';
import type { UsageRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { findAccount, listAccounts } from './accounts.ts';
import { AdminError } from './admin-error.ts';

/** An account's day; what it may use and what remains are known of the present day only. */
export interface UsageDay extends DayTotals {
  readonly creditsPerDay: number | null;
  readonly remaining: number | null;
}

export interface UsageReport {
  readonly days: readonly UsageDay[];
  readonly rows: readonly UsageRow[];
}

/** More goes than any number of dead gateways leaves work for. */
const MOST_CLOSINGS = 1_000;

/**
 * What accounts used. As old as a lease lives, for calls that running gateways have not reported.
 * Throws AdminError when there is no such account, or more than can be told.
 */
export async function reportUsage(store: Store, question: UsageQuestion): Promise<UsageReport> {
  const { accountId, from, to } = question;
  if (from !== undefined && to !== undefined && from > to) {
    throw new AdminError(`${from} comes after ${to}; give the earlier day with --from`);
  }
  await closeExpired(store);
  const asked =
    accountId === undefined ? await listAccounts(store) : [await findAccount(store, accountId)];
  const accounts = new Map(asked.map((account) => [account.id, account]));
  const { days, rows, today, isCut }: UsageListing = await store.listUsage(question);
  if (isCut) throw new AdminError('there is too much to tell; ask for fewer days, or --account');
  return {
    rows,
    days: days.map((totals) => {
      const account = totals.day === today ? accounts.get(totals.accountId) : undefined;
      if (account === undefined) return { ...totals, creditsPerDay: null, remaining: null };
      const { creditsPerDay } = account;
      const remaining = Math.max(0, creditsPerDay - totals.spent - totals.forfeited);
      return { ...totals, creditsPerDay, remaining };
    }),
  };
}

/** What dead gateways held shows as forfeited only once it is closed. */
async function closeExpired(store: Store): Promise<void> {
  for (let closing = 1; closing <= MOST_CLOSINGS; closing += 1) {
    if ((await store.closeExpiredLeases(null)) === 0) return;
  }
}
