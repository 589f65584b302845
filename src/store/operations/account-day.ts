import { endOfDay_ms, utcDay } from '../../time/day.ts';
import type { Operation, Query, Row } from '../database.ts';
import type { DayReport } from '../leases.ts';
import { readAllowances } from './accounts.ts';
import type { Balance, LeaseRow } from './settle-lease.ts';
import { readUsage, type AccountDay } from './usage.ts';

/** The balance and leases of an account's day. */
export interface LockedDay {
  readonly balance: Balance;
  /** Open leases, and the requested one in any state. */
  readonly leases: readonly LeaseRow[];
}

/** Maximum number of account days per closeExpiredLeases; the next run takes the others. */
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
  const [row] = await query(
    // The update changes nothing but locks the row.
    `INSERT INTO balances (account_id, day, spent, lost) VALUES (?, ?, 0, 0)
     ON CONFLICT (account_id, day) DO UPDATE SET spent = balances.spent
     RETURNING spent, lost`,
    [accountId, day],
  );
  const balance = { spent: Number(row?.['spent']), lost: Number(row?.['lost']) };
  const rows = await query(
    `SELECT * FROM leases WHERE account_id = ? AND day = ? AND (state = 'open' OR id = ?)`,
    [accountId, day, leaseId ?? ''],
  );
  const leases = rows.map(toLease);
  const expired = leases.filter((lease) => hasExpired(lease, now_ms));
  if (expired.length === 0) return { balance, leases };
  await query(
    `UPDATE leases SET state = 'expired'
     WHERE account_id = ? AND day = ? AND state = 'open' AND expires_at_ms <= ?`,
    [accountId, day, now_ms],
  );
  const lost = expired.reduce((sum, { held }) => sum + held, balance.lost);
  await writeBalance(query, { accountId, day }, { ...balance, lost });
  const closed = leases.map((lease): LeaseRow =>
    hasExpired(lease, now_ms) ? { ...lease, state: 'expired' } : lease,
  );
  return {
    balance: { ...balance, lost },
    leases: closed.filter(({ state, id }) => state === 'open' || id === leaseId),
  };
}

export async function writeBalance(
  query: Query,
  { accountId, day }: AccountDay,
  { spent, lost }: Balance,
): Promise<void> {
  const values = [spent, lost, accountId, day];
  await query(`UPDATE balances SET spent = ?, lost = ? WHERE account_id = ? AND day = ?`, values);
}

/** Inserts or updates a lease. */
export async function writeLease(
  query: Query,
  { accountId, day }: AccountDay,
  { id, state, held, reports, rate, callRate, expiresAt_ms }: LeaseRow,
): Promise<void> {
  await query(
    `INSERT INTO leases (id, account_id, day, state, held, reports, rate, call_rate, expires_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state,
     held = excluded.held, reports = excluded.reports, rate = excluded.rate,
     call_rate = excluded.call_rate, expires_at_ms = excluded.expires_at_ms`,
    [id, accountId, day, state, held, reports, rate, callRate, expiresAt_ms],
  );
}

/**
 * Closes the expired leases of all holders and deletes those that closed long ago. Resolves to the
 * number of account days that had any, at most 32 per run.
 */
export const closeExpiredLeases: Operation<null, number> = {
  access: 'write',
  async run(transaction) {
    const { query } = transaction;
    const now_ms = await transaction.now_ms();
    const days = await query(
      `SELECT DISTINCT account_id, day FROM leases WHERE state = 'open' AND expires_at_ms <= ?
       ORDER BY account_id, day LIMIT ${MAX_DAYS}`,
      [now_ms],
    );
    for (const row of days) {
      const of = { accountId: String(row['account_id']), day: String(row['day']) };
      await lockDay(query, of, { now_ms });
    }
    await query(`DELETE FROM leases WHERE state <> 'open' AND expires_at_ms < ?`, [
      now_ms - LATE_REPORT_MS,
    ]);
    return days.length;
  },
};

/** Reads an account's usage of the store's current day. Expired leases count as lost. */
export const readToday: Operation<string, DayReport> = {
  access: 'read',
  async run(transaction, accountId) {
    const { query } = transaction;
    const now_ms = await transaction.now_ms();
    const day = utcDay(now_ms);
    const select = (table: string): Promise<readonly Row[]> =>
      query(`SELECT * FROM ${table} WHERE account_id = ? AND day = ?`, [accountId, day]);
    const [balance] = await select('balances');
    const leases = (await select('leases')).map(toLease);
    let leased = 0;
    let lost = Number(balance?.['lost'] ?? 0);
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
      spent: Number(balance?.['spent'] ?? 0),
      lost,
      leased,
      usage: await readUsage(query, { accountId, day }),
      reports: Object.fromEntries(leases.map(({ id, reports }) => [id, reports])),
    };
  },
};

function toLease(row: Row): LeaseRow {
  return {
    id: String(row['id']),
    state: row['state'] as LeaseRow['state'],
    held: Number(row['held']),
    reports: Number(row['reports']),
    rate: Number(row['rate']),
    callRate: Number(row['call_rate']),
    expiresAt_ms: Number(row['expires_at_ms']),
  };
}

function hasExpired({ state, expiresAt_ms }: LeaseRow, now_ms: number): boolean {
  return state === 'open' && expiresAt_ms <= now_ms;
}
