import { err, PASSED, type Result } from '../errors/result.ts';
import type { Account, AllowLists, Key, Plan } from '../store/records.ts';

/** A key with the effective terms of its account. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: string;
  readonly creditsPerDay: number;
  readonly callsPerSecond: number;
  readonly forwarding: boolean;
  /** Set if another gateway forwarded the calls to this one, its partner; they are not forwarded again. */
  readonly isForwarded?: true;
  readonly allowed: Allowed;
  readonly expiresAt_ms: number | null;
}

/** Allow-lists for lookup; undefined restricts nothing. */
export interface Allowed {
  readonly methods: ReadonlySet<string> | undefined;
  readonly networks: ReadonlySet<string> | undefined;
  readonly origins: ReadonlySet<string> | undefined;
  readonly contracts: ReadonlySet<string> | undefined;
}

/** Combines a key with its account and plan. The account's quotas override the plan's. */
export function toCaller(key: Key, account: Account, plan: Plan): Caller {
  return {
    keyId: key.id,
    accountId: account.id,
    plan: plan.name,
    creditsPerDay: account.creditsPerDay ?? plan.creditsPerDay ?? 0,
    callsPerSecond: account.callsPerSecond ?? plan.callsPerSecond ?? 0,
    forwarding: plan.forwarding,
    allowed: toAllowed(key.allow),
    expiresAt_ms: key.expiresAt_ms,
  };
}

function toAllowed({ methods, networks, origins, contracts }: AllowLists): Allowed {
  return {
    methods: methods && new Set(methods),
    networks: networks && new Set(networks),
    origins: origins && new Set(origins),
    contracts: contracts && new Set(contracts.map(normalizeAddress)),
  };
}

/** Lower-cases hexadecimal addresses; base58 ones are case-sensitive. */
function normalizeAddress(address: string): string {
  return /^0x/i.test(address) ? address.toLowerCase() : address;
}

export type AllowFailure =
  | { readonly reason: 'network_not_allowed'; readonly network: string }
  | { readonly reason: 'origin_not_allowed' }
  | { readonly reason: 'method_not_allowed'; readonly method: string }
  | { readonly reason: 'contract_not_allowed'; readonly address: string };

/** Checks the network and web origin of a request; the origin is undefined outside of browsers. */
export function checkPlace(
  { allowed }: Caller,
  { network, origin }: { network: string; origin: string | undefined },
): Result<undefined, AllowFailure> {
  if (allowed.networks?.has(network) === false) {
    return err({ reason: 'network_not_allowed', network });
  }
  return allowed.origins?.has(origin ?? '') === false
    ? err({ reason: 'origin_not_allowed' })
    : PASSED;
}

/** Checks the method of a call, and the contracts it is addressed to. */
export function checkCall(
  { allowed: { methods, contracts } }: Caller,
  method: string,
  addresses: readonly string[],
): Result<undefined, AllowFailure> {
  if (methods?.has(method) === false) return err({ reason: 'method_not_allowed', method });
  const address = addresses.find((each) => contracts?.has(normalizeAddress(each)) === false);
  return address === undefined ? PASSED : err({ reason: 'contract_not_allowed', address });
}
