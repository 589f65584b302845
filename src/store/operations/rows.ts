import type { Row } from '../database.ts';
import type { Account, AllowLists, Key, Plan } from '../records.ts';

export function toPlan(row: Row): Plan {
  return {
    name: String(row['name']),
    creditsPerDay: toNumber(row['credits_per_day']),
    callsPerSecond: toNumber(row['calls_per_second']),
    forwarding: Number(row['forwarding']) === 1,
  };
}

export function toAccount(row: Row): Account {
  return {
    id: String(row['id']),
    plan: String(row['plan']),
    creditsPerDay: toNumber(row['credits_per_day']),
    callsPerSecond: toNumber(row['calls_per_second']),
    suspendedAt_ms: toNumber(row['suspended_at_ms']),
  };
}

export function toKey(row: Row): Key {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    hash: String(row['hash']),
    prefix: String(row['prefix']),
    allow: JSON.parse(String(row['allow'] ?? '{}')) as AllowLists,
    expiresAt_ms: toNumber(row['expires_at_ms']),
    revokedAt_ms: toNumber(row['revoked_at_ms']),
  };
}

/** Engines differ in how they hand out 64-bit integers; ours stay below 2^53. */
export function toNumber(value: Row[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
