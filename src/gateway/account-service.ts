import type { Caller } from '../auth/caller.ts';
import type { Ledger, UsageReport } from '../credits/ledger.ts';
import type { RateLimit } from '../credits/rate-limit.ts';
import type { ErrorCatalog } from '../errors/catalog.ts';
import { err, ok, PASSED, type Result } from '../errors/result.ts';
import type { AccountCounts } from './account-limits.ts';

/** What remains of a limit. */
interface Allowance {
  readonly limit: number;
  readonly remaining: number;
}

/** Credits and calls an account has left. */
export interface AccountBalance {
  /** Credits of the UTC day; undefined while unknown. */
  readonly credits: (Allowance & { readonly resetsIn_s: number }) | undefined;
  /** Calls per second. */
  readonly calls: Allowance;
}

/** Limits and usage of the accounts that call. */
export interface AccountService {
  /** Counts a call against the account's rate limit. */
  take(caller: Caller): Result<undefined>;
  /**
   * Counts a connection of the account. The returned function subtracts it again and has no effect when
   * called a second time.
   */
  connect(caller: Caller): Result<() => void>;
  /** Returns what the account has left; undefined for a service without accounts. */
  balance(caller: Caller): AccountBalance | undefined;
  /** Returns today's usage as JSON text. */
  usage(caller: Caller): Promise<Result<Buffer>>;
}

interface AccountServiceOptions {
  readonly ledger: Ledger;
  readonly rate: RateLimit;
  readonly errors: ErrorCatalog;
  readonly connections: AccountCounts;
  /** Returns how many connections the caller's account may have. */
  readonly connectionsOf: (caller: Caller) => number;
  readonly now_ms: () => number;
}

export function createAccountService(options: AccountServiceOptions): AccountService {
  const { ledger, rate, errors, connections, connectionsOf, now_ms } = options;
  return {
    take: (caller) => throttle(options, caller),
    connect(caller) {
      const limitConnections = connectionsOf(caller);
      const release = connections.add(caller.accountId, limitConnections);
      if (release !== undefined) return ok(release);
      return err(errors.fail('too_many_connections', { data: { limitConnections } }));
    },
    balance(caller) {
      const credits = ledger.balance(caller);
      const calls = rate.balance(caller);
      if (credits === undefined) return { credits: undefined, calls };
      const { limit, remaining, resetsAt_ms } = credits;
      const resetsIn_s = Math.max(0, Math.ceil((resetsAt_ms - now_ms()) / 1000));
      return { credits: { limit, remaining, resetsIn_s }, calls };
    },
    async usage(caller) {
      const allowed = throttle(options, caller);
      if (!allowed.ok) return allowed;
      try {
        return ok(Buffer.from(JSON.stringify(toUsage(caller, await ledger.usage(caller)))));
      } catch {
        return err(errors.fail('store_unavailable'));
      }
    },
  };
}

/** Counts a call against the account's rate limit. */
export function throttle(
  { rate, errors }: Pick<AccountServiceOptions, 'rate' | 'errors'>,
  caller: Caller,
): Result<undefined> {
  const retryAfterMs = rate.take(caller);
  return retryAfterMs === 0 ? PASSED : err(errors.fail('rate_limited', { data: { retryAfterMs } }));
}

/** Returns today's usage of the whole account, by method. */
function toUsage(caller: Caller, report: UsageReport): object {
  const methods: Record<string, { calls: number; credits: number }> = {};
  for (const { method, calls, credits } of report.rows) {
    const sum = (methods[method] ??= { calls: 0, credits: 0 });
    sum.calls += calls;
    sum.credits += credits;
  }
  const { day, limit, used, lost, remaining, resetsAt_ms } = report;
  const resetsAt = new Date(resetsAt_ms).toISOString();
  const { accountId: account, plan } = caller;
  return { account, plan, day, limit, used, lost, remaining, resetsAt, methods };
}
