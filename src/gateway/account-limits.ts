import type { Caller } from '../auth/caller.ts';

/** The highest caps any plan leads to; an operator may set both. */
export interface AccountLimits {
  readonly account_calls_in_flight: number;
  readonly account_connections: number;
}

/** An account may have the calls of so many seconds in flight. */
const IN_FLIGHT_S = 4;

/** A batch has 32 calls under way at a time: two batches are possible with every plan. */
const MIN_CALLS_IN_FLIGHT = 64;

/** The connections that a proxy keeps open may all be counted for one account. */
const MIN_CONNECTIONS = 256;

/** Calls an account may have in flight in one process: those of 4 seconds at its plan's rate. */
export function callsInFlightOf(
  { callsPerSecond }: Pick<Caller, 'callsPerSecond'>,
  { account_calls_in_flight }: Pick<AccountLimits, 'account_calls_in_flight'>,
): number {
  const wanted = Math.max(MIN_CALLS_IN_FLIGHT, Math.ceil(callsPerSecond * IN_FLIGHT_S));
  return Math.min(account_calls_in_flight, wanted);
}

/** Connections an account may have open to one process: one for each call it may have in flight. */
export function connectionsOf(
  caller: Pick<Caller, 'callsPerSecond'>,
  { account_connections }: Pick<AccountLimits, 'account_connections'>,
): number {
  const calls = callsInFlightOf(caller, { account_calls_in_flight: Infinity });
  return Math.min(account_connections, Math.max(MIN_CONNECTIONS, calls));
}
