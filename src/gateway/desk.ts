import type { Caller } from '../auth/caller.ts';
import type { Ledger, UsageReport } from '../credits/ledger.ts';
import type { RateLimit } from '../credits/rate-limit.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { AccountDesk } from '../transport/site.ts';
import type { AccountCounts } from './account-counts.ts';

export interface DeskOptions {
  readonly ledger: Ledger;
  readonly rate: RateLimit;
  readonly errors: ErrorCatalog;
  readonly connections: AccountCounts;
  /** Connections the caller's account may have. */
  readonly connectionsOf: (caller: Caller) => number;
  readonly now_ms: () => number;
}

/** Tells accounts where they stand. */
export function createDesk(options: DeskOptions): AccountDesk {
  const { ledger, rate, errors, connections, connectionsOf, now_ms } = options;
  return {
    take: (caller) => throttle({ rate, errors }, caller),
    connect(caller) {
      const limitConnections = connectionsOf(caller);
      const data = { limitConnections };
      return (
        connections.add(caller.accountId, limitConnections) ??
        errors.fail('too_many_connections', { data })
      );
    },
    standing(caller) {
      const credits = ledger.standing(caller);
      const calls = rate.standing(caller);
      if (credits === undefined) return { credits: undefined, calls };
      const { limit, remaining, resetsAt_ms } = credits;
      const resetsIn_s = Math.max(0, Math.ceil((resetsAt_ms - now_ms()) / 1000));
      return { credits: { limit, remaining, resetsIn_s }, calls };
    },
    async usage(caller) {
      const tooFast = throttle({ rate, errors }, caller);
      if (tooFast !== undefined) return tooFast;
      try {
        return Buffer.from(JSON.stringify(toUsage(caller, await ledger.usage(caller))));
      } catch {
        return errors.fail('store_unavailable');
      }
    },
  };
}

/** Takes a call off the account's rate, or refuses it. */
export function throttle(
  { rate, errors }: Pick<DeskOptions, 'rate' | 'errors'>,
  caller: Caller,
): RpcError | undefined {
  const retryAfterMs = rate.take(caller);
  return retryAfterMs === 0 ? undefined : errors.fail('rate_limited', { data: { retryAfterMs } });
}

/** Today's use of the whole account, by method. */
function toUsage(caller: Caller, report: UsageReport): object {
  const methods: Record<string, { calls: number; credits: number }> = {};
  for (const { method, calls, credits } of report.rows) {
    const sum = (methods[method] ??= { calls: 0, credits: 0 });
    sum.calls += calls;
    sum.credits += credits;
  }
  const { day, limit, used, forfeited, remaining, resetsAt_ms } = report;
  const resetsAt = new Date(resetsAt_ms).toISOString();
  const { accountId: account, plan } = caller;
  return { account, plan, day, limit, used, forfeited, remaining, resetsAt, methods };
}
