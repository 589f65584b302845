import type { AllowLists, Key, UsageRow } from './records.ts';

/** An account with what it comes to: its own numbers, else its plan's. */
export interface AccountEntry {
  readonly id: string;
  readonly plan: string;
  readonly creditsPerDay: number;
  readonly callsPerSecond: number;
  readonly forwarding: boolean;
  readonly suspendedAt_ms: number | null;
  /** Keys that are not revoked. */
  readonly keys: number;
}

/** A key as its operator sees it. */
export interface KeyEntry extends Key {
  readonly label: string | null;
  /** Null when it came from a configuration. */
  readonly createdAt_ms: number | null;
}

/** A key about to be: the store gives it its time. */
export type NewKey = Pick<
  KeyEntry,
  'id' | 'accountId' | 'hash' | 'prefix' | 'allow' | 'expiresAt_ms' | 'label'
>;

/** What is to be different about a key; what is absent stays. */
export interface KeyChange {
  readonly id: string;
  readonly label?: string | null;
  /** Lists that take the place of those there are. */
  readonly allow?: AllowLists;
  /** Whether the other lists go. */
  readonly dropsAllow?: boolean;
  readonly expiresAt_ms?: number | null;
}

export interface KeyRotation {
  readonly id: string;
  /** The key that takes its place, with its account, allow-lists, label and expiry. */
  readonly replacement: Pick<Key, 'id' | 'hash' | 'prefix'>;
  /** How long the old one is still accepted. */
  readonly overlap_ms: number;
}

/** Why an account was not made or changed. */
export type AccountOutcome = 'done' | 'account_exists' | 'no_account' | 'no_plan' | 'terms_missing';

/** Days of use: of one account or all, from a UTC day to another, both included. */
export interface UsageQuestion {
  readonly accountId: string | undefined;
  /** Undefined: the store's present day. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** An account's day; `leased` is held by running gateways, some of it spent already. */
export interface DayTotals {
  readonly accountId: string;
  readonly day: string;
  readonly spent: number;
  readonly forfeited: number;
  readonly leased: number;
}

export interface UsageListing {
  readonly today: string;
  readonly days: readonly DayTotals[];
  readonly rows: readonly UsageRow[];
  /** There are more rows than are listed. */
  readonly isCut: boolean;
}
