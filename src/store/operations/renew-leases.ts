import { endOfDay_ms, utcDay } from '../../time/day.ts';
import { write, type Query } from '../database.ts';
import type { LeaseBatch, LeaseReply, LeaseRequest } from '../leases.ts';
import type { UsageRow } from '../records.ts';
import { lockDay } from './account-day.ts';
import { readAllowances } from './accounts.ts';
import { putRow, updateRow } from './rows.ts';
import { settleLease } from './settle-lease.ts';
import { insertUsage, mergeUsage } from './usage.ts';

/**
 * Applies the reports of leases and renews them. Replies are in the order of the requests. A new
 * lease belongs to the current day of the store's clock and keeps it.
 */
export const renewLeases = write<LeaseBatch, readonly LeaseReply[]>(
  async ({ query, now_ms: readClock }, { requests, ...terms }) => {
    const now_ms = await readClock();
    const today = utcDay(now_ms);
    const days = await readDays(query, requests);
    const accountIds = requests.map(({ accountId }) => accountId);
    const allowances = await readAllowances(query, accountIds);
    const usage: UsageRow[] = [];
    const replies = new Map<string, LeaseReply>();
    for (const request of inLockingOrder(requests)) {
      const { accountId, leaseId } = request;
      const day = days.get(leaseId) ?? today;
      const of = { accountId, day };
      const { balance, leases } = await lockDay(query, of, { now_ms, leaseId });
      const settlement = settleLease(
        {
          day,
          isToday: day === today,
          dayEndsIn_ms: Math.max(0, endOfDay_ms(day) - now_ms),
          now_ms,
          allowance: allowances.get(accountId) ?? 0,
          balance,
          leases,
        },
        request,
        terms,
      );
      if (settlement.lease !== undefined) {
        await putRow(query, 'leases', 'id', { ...of, ...settlement.lease });
      }
      if (settlement.balance !== balance) {
        const { spent, lost } = settlement.balance;
        await updateRow(query, 'balances', of, { spent, lost });
      }
      if (settlement.isReported) usage.push(...request.usage.map((row) => ({ ...of, ...row })));
      replies.set(leaseId, settlement.reply);
    }
    await insertUsage(query, mergeUsage(usage));
    return requests.map(({ leaseId }) => replies.get(leaseId)!);
  },
);

/** One order for all transactions, so that two that lock several accounts cannot deadlock. */
function inLockingOrder(requests: readonly LeaseRequest[]): readonly LeaseRequest[] {
  const keyOf = ({ accountId, leaseId }: LeaseRequest): string => `${accountId}\n${leaseId}`;
  return [...requests].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

async function readDays(
  query: Query,
  requests: readonly LeaseRequest[],
): Promise<ReadonlyMap<string, string>> {
  if (requests.length === 0) return new Map();
  const rows = await query<{ id: string; day: string }>(
    `SELECT id, day FROM leases WHERE id IN (${requests.map(() => '?').join(', ')})`,
    requests.map(({ leaseId }) => leaseId),
  );
  return new Map(rows.map(({ id, day }) => [id, day]));
}
