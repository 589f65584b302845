import type { LeaseStore } from '../../src/credits/lease-ledger.ts';
import { settleLease, type LeaseRow } from '../../src/store/operations/settle-lease.ts';
import { mergeUsage } from '../../src/store/operations/usage.ts';
import type { UsageRow } from '../../src/store/records.ts';
import { endOfDay_ms, utcDay } from '../../src/time/day.ts';

export interface MemoryLeaseStore extends LeaseStore {
  /** Usage reported so far. */
  readonly rows: UsageRow[];
}

/** A store of leases in memory, for one instance, every account with the same allowance. */
export function memoryLeaseStore({
  now_ms,
  allowance,
}: {
  readonly now_ms: () => number;
  readonly allowance: () => number;
}): MemoryLeaseStore {
  const rows: UsageRow[] = [];
  const leases = new Map<string, LeaseRow & { accountId: string; day: string }>();
  const dayOf = (accountId: string, day: string) => {
    const usage = rows.filter((row) => row.accountId === accountId && row.day === day);
    return {
      usage,
      balance: { spent: usage.reduce((sum, { credits }) => sum + credits, 0), lost: 0 },
      leases: [...leases.values()].filter(
        (lease) => lease.accountId === accountId && lease.day === day,
      ),
    };
  };
  return {
    rows,
    async renewLeases({ requests, ...terms }) {
      const now = now_ms();
      return requests.map((request) => {
        const { accountId, leaseId } = request;
        const day = leases.get(leaseId)?.day ?? utcDay(now);
        const state = {
          ...dayOf(accountId, day),
          day,
          isToday: day === utcDay(now),
          dayEndsIn_ms: Math.max(0, endOfDay_ms(day) - now),
          now_ms: now,
          allowance: allowance(),
        };
        const { reply, lease, isReported } = settleLease(state, request, terms);
        if (lease !== undefined) leases.set(leaseId, { ...lease, accountId, day });
        if (isReported) {
          const reported = request.usage.map((row) => ({ accountId, day, ...row }));
          rows.splice(0, Infinity, ...mergeUsage([...rows, ...reported]));
        }
        return reply;
      });
    },
    closeExpiredLeases: async () => 0,
    async readToday({ accountId }) {
      const day = utcDay(now_ms());
      const { usage, balance, leases: open } = dayOf(accountId, day);
      return {
        accountId,
        day,
        dayEndsIn_ms: endOfDay_ms(day) - now_ms(),
        allowance: allowance(),
        ...balance,
        leased: 0,
        usage,
        reports: Object.fromEntries(open.map(({ id, reports }) => [id, reports])),
      };
    },
  };
}
