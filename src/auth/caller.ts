import type { Account, AllowLists, Key, Plan } from '../store/records.ts';

/** A key with the effective terms of its account. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: string;
  readonly creditsPerDay: number;
  readonly callsPerSecond: number;
  readonly forwarding: boolean;
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
export function normalizeAddress(address: string): string {
  return /^0x/i.test(address) ? address.toLowerCase() : address;
}
