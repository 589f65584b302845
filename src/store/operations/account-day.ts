import type { Query } from '../database.ts';
import type { Balance, LeaseRow } from './settle-lease.ts';
import type { AccountDay } from './usage.ts';

/** An account's balance and leases of a day. */
export interface LockedDay {
  readonly balance: Balance;
  /** The open ones, and the one that was asked for whatever its state. */
  readonly leases: readonly LeaseRow[];
}

/**
 * Reads an account's day, and holds back everyone else who would until the transaction ends. Leases
 * that have expired are closed: what they held is forfeited.
 */
export async function lockDay(
  query: Query,
  { accountId, day }: AccountDay,
  { now_ms, leaseId }: { readonly now_ms: number; readonly leaseId?: string },
): Promise<LockedDay> {
  const [row] = await query(
    // The update changes nothing, but takes the row's lock.
    `INSERT INTO balances (account_id, day, spent, forfeited) VALUES (?, ?, 0, 0)
     ON CONFLICT (account_id, day) DO UPDATE SET spent = balances.spent
     RETURNING spent, forfeited`,
    [accountId, day],
  );
  const balance = { spent: Number(row?.['spent']), forfeited: Number(row?.['forfeited']) };
  const rows = await query(
    `SELECT id, state, held, reports, rate, call_rate, expires_at_ms FROM leases
     WHERE account_id = ? AND day = ? AND (state = 'open' OR id = ?)`,
    [accountId, day, leaseId ?? ''],
  );
  const leases = rows.map((lease): LeaseRow => ({
    id: String(lease['id']),
    state: lease['state'] as LeaseRow['state'],
    held: Number(lease['held']),
    reports: Number(lease['reports']),
    rate: Number(lease['rate']),
    callRate: Number(lease['call_rate']),
    expiresAt_ms: Number(lease['expires_at_ms']),
  }));
  const expired = leases.filter((lease) => hasExpired(lease, now_ms));
  if (expired.length === 0) return { balance, leases };
  const lost = expired.reduce((sum, { held }) => sum + held, 0);
  const forfeited = { ...balance, forfeited: balance.forfeited + lost };
  await query(
    `UPDATE leases SET state = 'forfeited'
     WHERE account_id = ? AND day = ? AND state = 'open' AND expires_at_ms <= ?`,
    [accountId, day, now_ms],
  );
  await writeBalance(query, { accountId, day }, forfeited);
  return {
    balance: forfeited,
    leases: leases
      .map((lease) =>
        hasExpired(lease, now_ms) ? { ...lease, state: 'forfeited' as const } : lease,
      )
      .filter(({ state, id }) => state === 'open' || id === leaseId),
  };
}

function hasExpired({ state, expiresAt_ms }: LeaseRow, now_ms: number): boolean {
  return state === 'open' && expiresAt_ms <= now_ms;
}

export async function writeBalance(
  query: Query,
  { accountId, day }: AccountDay,
  { spent, forfeited }: Balance,
): Promise<void> {
  await query(`UPDATE balances SET spent = ?, forfeited = ? WHERE account_id = ? AND day = ?`, [
    spent,
    forfeited,
    accountId,
    day,
  ]);
}

/** Stores a lease of an account's day, new or changed. */
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
