import type { Caller } from '../auth/caller.ts';
import type { ErrorCatalog } from '../errors/catalog.ts';
import type { Backend, Method } from '../rpc/call.ts';
import type { AccountCounts } from './account-counts.ts';

export interface CallLimitOptions {
  readonly calls: AccountCounts;
  /** Calls the caller's account may have in flight. */
  readonly limitOf: (caller: Caller) => number;
  readonly errors: ErrorCatalog;
}

/**
 * Refuses calls of an account that has too many in flight. A call counts until the backend is done
 * with it, whether or not its caller still waits, and a stream until it has ended.
 */
export function withCallLimit<M extends Method>(
  backend: Backend<M, Caller>,
  { calls, limitOf, errors }: CallLimitOptions,
): Backend<M, Caller> {
  return async (call, caller, signal) => {
    const limitCalls = limitOf(caller);
    const end = calls.add(caller.accountId, limitCalls);
    if (end === undefined) {
      const data = { scope: 'account', limitCalls };
      return { error: errors.fail('too_many_calls_in_flight', { data }) };
    }
    let isStream = false;
    try {
      const outcome = await backend(call, caller, signal);
      if ('stream' in outcome) {
        isStream = true;
        void outcome.stream.fate.then(end);
      }
      return outcome;
    } finally {
      if (!isStream) end();
    }
  };
}
