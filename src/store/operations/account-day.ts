import { endOfDay_ms, utcDay } from '../../time/day.ts';
import { read, write, type Query } from '../database.ts';
import type { DayQuery, DayReport } from '../leases.ts';
import { readAllowances } from './accounts.ts';
import { columns, updateRow } from './rows.ts';
import type { Balance, LeaseRow } from './settle-lease.ts';
import { readUsage, type AccountDay } from './usage.ts';

/** The balance and leases of an account's day. */
interface LockedDay {
  readonly balance: Balance;
  /** Open leases, and the requested one in any state. */
  readonly leases: readonly LeaseRow[];
}

/** Maximum number of account days per run of `closeExpiredLeases`; the next run handles the others. */
const MAX_DAYS = 32;

/** How long a closed lease is kept, so that its holder can report late. */
const LATE_REPORT_MS = 2 * 86_400_000;

/**
 * Reads an account's day and locks it until the transaction ends. Closes expired leases: what they
 * held is lost.
 */
export async function lockDay(
  query: Query,
  { accountId, day }: AccountDay,
  { now_ms, leaseId }: { readonly now_ms: number; readonly leaseId?: string },
): Promise<LockedDay> {
  const [balance] = await query<Balance>(
    // The update changes nothing but locks the row.
    `INSERT INTO balances (account_id, day, spent, lost) VALUES (?, ?, 0, 0)
     ON CONFLICT (account_id, day) DO UPDATE SET spent = balances.spent
     RETURNING spent, lost`,
    [accountId, day],
  );
  const leases = await readLeases(
    query,
    { accountId, day },
    leaseId === undefined ? [] : [leaseId],
  );
  const expired = leases.filter((lease) => hasExpired(lease, now_ms));
  if (expired.length === 0) return { balance: balance!, leases };
  await query(
    `UPDATE leases SET state = 'expired'
     WHERE account_id = ? AND day = ? AND state = 'open' AND expires_at_ms <= ?`,
    [accountId, day, now_ms],
  );
  const lost = expired.reduce((sum, { held }) => sum + held, balance!.lost);
  const settled = { spent: balance!.spent, lost };
  await updateRow(query, 'balances', { accountId, day }, settled);
  const closed = leases.map((lease): LeaseRow =>
    hasExpired(lease, now_ms) ? { ...lease, state: 'expired' } : lease,
  );
  return {
    balance: settled,
    leases: closed.filter(({ state, id }) => state === 'open' || id === leaseId),
  };
}

/**
 * Closes the expired leases of all holders and deletes those that closed long ago. Resolves to the
 * number of account days that had any, at most 32 per run.
 */
export const closeExpiredLeases = write<null, number>(async ({ query, now_ms: readClock }) => {
  const now_ms = await readClock();
  const days = await query<AccountDay>(
    `SELECT DISTINCT account_id, day FROM leases WHERE state = 'open' AND expires_at_ms <= ?
     ORDER BY account_id, day LIMIT ${MAX_DAYS}`,
    [now_ms],
  );
  for (const of of days) await lockDay(query, of, { now_ms });
  await query(`DELETE FROM leases WHERE state IN ('returned', 'expired') AND expires_at_ms < ?`, [
    now_ms - LATE_REPORT_MS,
  ]);
  return days.length;
});

/** Reads an account's usage on the store's current day. Expired leases count as lost. */
export const readToday = read<DayQuery, DayReport>(
  async ({ query, now_ms: readClock }, { accountId, leaseIds = [] }) => {
    const now_ms = await readClock();
    const day = utcDay(now_ms);
    const [balance = { spent: 0, lost: 0 }] = await query<Balance>(
      `SELECT spent, lost FROM balances WHERE account_id = ? AND day = ?`,
      [accountId, day],
    );
    const leases = await readLeases(query, { accountId, day }, leaseIds);
    let leased = 0;
    let { lost } = balance;
    for (const lease of leases) {
      if (hasExpired(lease, now_ms)) lost += lease.held;
      else if (lease.state === 'open') leased += lease.held;
    }
    const allowances = await readAllowances(query, [accountId]);
    return {
      accountId,
      day,
      dayEndsIn_ms: endOfDay_ms(day) - now_ms,
      allowance: allowances.get(accountId) ?? 0,
      spent: balance.spent,
      lost,
      leased,
      usage: await readUsage(query, { accountId, day }),
      reports: Object.fromEntries(leases.map(({ id, reports }) => [id, reports])),
    };
  },
);

/**
 * Reads the open leases of an account's day, and those with these ids in any state. Each part of the
 * query uses an index, so that its cost does not grow with the number of closed leases.
 */
async function readLeases(
  query: Query,
  { accountId, day }: AccountDay,
  ids: readonly string[],
): Promise<readonly LeaseRow[]> {
  const open = `SELECT ${columns.lease} FROM leases
     WHERE account_id = ? AND day = ? AND state = 'open'`;
  if (ids.length === 0) return query<LeaseRow>(open, [accountId, day]);
  return query<LeaseRow>(
    `${open} UNION SELECT ${columns.lease} FROM leases
     WHERE id IN (${ids.map(() => '?').join(', ')}) AND account_id = ? AND day = ?`,
    [accountId, day, ...ids, accountId, day],
  );
}

function hasExpired({ state, expiresAt_ms }: LeaseRow, now_ms: number): boolean {
  return state === 'open' && expiresAt_ms <= now_ms;
}
