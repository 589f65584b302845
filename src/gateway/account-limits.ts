import type { Caller } from '../auth/caller.ts';
import type { ErrorCatalog } from '../errors/catalog.ts';
import { err } from '../errors/result.ts';
import { isBytes, type Backend, type Method, type Outcome } from '../rpc/call.ts';

/** Upper bounds of what an account may have, whatever its plan. Set by the operator. */
interface AccountLimits {
  readonly account_calls_in_flight: number;
  readonly account_connections: number;
}

/** An account may have as many calls in flight as its rate allows in this many seconds. */
const IN_FLIGHT_S = 4;

/** A batch runs 32 calls at a time; every plan allows two batches. */
const MIN_CALLS_IN_FLIGHT = 64;

/** All connections that a proxy keeps open may count toward one account. */
const MIN_CONNECTIONS = 256;

/** Returns how many calls an account may have in flight in one process: its rate for 4 s, within bounds. */
export function callsInFlightOf(
  { callsPerSecond }: Pick<Caller, 'callsPerSecond'>,
  { account_calls_in_flight }: Pick<AccountLimits, 'account_calls_in_flight'>,
): number {
  const wanted = Math.max(MIN_CALLS_IN_FLIGHT, Math.ceil(callsPerSecond * IN_FLIGHT_S));
  return Math.min(account_calls_in_flight, wanted);
}

/** Returns how many connections an account may have to one process: one for each call in flight. */
export function connectionsOf(
  caller: Pick<Caller, 'callsPerSecond'>,
  { account_connections }: Pick<AccountLimits, 'account_connections'>,
): number {
  const calls = callsInFlightOf(caller, { account_calls_in_flight: Infinity });
  return Math.min(account_connections, Math.max(MIN_CONNECTIONS, calls));
}

/**
 * Counts something per account, in this process. Keeps one small entry per account that ever called: a
 * Map whose entries come and go keeps allocating new tables, in the old generation of the heap.
 */
export class AccountCounts {
  readonly #accounts = new Map<string, { count: number }>();

  /**
   * Adds one to an account's count. Returns a function that subtracts it again, which has no effect when
   * called a second time; undefined if the count is at `limit`.
   */
  add(accountId: string, limit: number): (() => void) | undefined {
    let account = this.#accounts.get(accountId);
    if (account === undefined) this.#accounts.set(accountId, (account = { count: 0 }));
    if (account.count >= limit) return undefined;
    account.count += 1;
    let counted: { count: number } | undefined = account;
    return () => {
      if (counted !== undefined) counted.count -= 1;
      counted = undefined;
    };
  }

  /** Adds one to an account's count, even above its limit, until `ended` settles. */
  addUntil(accountId: string, ended: Promise<void>): void {
    void ended.then(this.add(accountId, Infinity));
  }
}

interface CallLimitOptions {
  readonly calls: AccountCounts;
  /** Returns how many calls the caller's account may have in flight. */
  readonly limitOf: (caller: Caller) => number;
  readonly errors: ErrorCatalog;
}

/**
 * Wraps a backend so that it rejects calls of an account with too many in flight. A call counts until
 * the backend has finished it, even if its caller has left; a stream counts until it has ended. Calls that
 * have ended, but cannot be canceled at their node, are added by the backend.
 */
export function withCallLimit<M extends Method>(
  backend: Backend<M, Caller>,
  { calls, limitOf, errors }: CallLimitOptions,
): Backend<M, Caller> {
  return (call, caller, signal) => {
    const limitCalls = limitOf(caller);
    const end = calls.add(caller.accountId, limitCalls);
    if (end === undefined) {
      const data = { scope: 'account', limitCalls };
      return err(errors.fail('too_many_calls_in_flight', { data }));
    }
    const leave = (outcome: Outcome): Outcome => {
      if (outcome.ok && !isBytes(outcome.value)) void outcome.value.ended.then(end);
      else end();
      return outcome;
    };
    const fail = (error: unknown): never => {
      end();
      throw error;
    };
    try {
      const outcome = backend(call, caller, signal);
      return outcome instanceof Promise ? outcome.then(leave, fail) : leave(outcome);
    } catch (error) {
      return fail(error);
    }
  };
}
