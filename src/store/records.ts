/** Quotas that accounts share: credits per UTC day and calls per second. */
export interface Plan {
  readonly name: string;
  /** Null: set per account. */
  readonly creditsPerDay: number | null;
  readonly callsPerSecond: number | null;
  /** Whether calls may be forwarded to a partner when the network's own nodes cannot serve them. */
  readonly forwarding: boolean;
}

export interface AccountTerms {
  readonly id: string;
  readonly plan: string;
  /** Null: the plan's. */
  readonly creditsPerDay: number | null;
  readonly callsPerSecond: number | null;
}

export interface Account extends AccountTerms {
  /** Null: not suspended. */
  readonly suspendedAt_ms: number | null;
}

/** What a key may be used for; an absent list restricts nothing. */
export interface AllowLists {
  readonly methods?: readonly string[];
  readonly networks?: readonly string[];
  readonly origins?: readonly string[];
  readonly contracts?: readonly string[];
}

export interface Key {
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  /** First characters of the key, for display. */
  readonly prefix: string;
  readonly allow: AllowLists;
  readonly expiresAt_ms: number | null;
  readonly revokedAt_ms: number | null;
}

/** Rows that changed after a revision, and the new revision. */
export interface Changes {
  readonly revision: number;
  readonly plans: readonly Plan[];
  readonly accounts: readonly Account[];
  readonly keys: readonly Key[];
}

/** Calls charged to a key on a UTC day (`2026-11-21`). */
export interface UsageRow {
  readonly accountId: string;
  readonly keyId: string;
  readonly day: string;
  readonly method: string;
  readonly calls: number;
  readonly credits: number;
}

/** An account with its effective quotas: its own, else its plan's. */
export interface AccountEntry {
  readonly id: string;
  readonly plan: string;
  readonly creditsPerDay: number;
  readonly callsPerSecond: number;
  readonly forwarding: boolean;
  readonly suspendedAt_ms: number | null;
  /** Number of keys that are not revoked. */
  readonly keys: number;
}

/** A key as administrators see it. */
export interface KeyEntry extends Key {
  readonly label: string | null;
  /** Null if the key came from a configuration. */
  readonly createdAt_ms: number | null;
}

export type NewKey = Pick<
  KeyEntry,
  'id' | 'accountId' | 'hash' | 'prefix' | 'allow' | 'expiresAt_ms' | 'label'
>;

/** Changes to a key; absent members stay as they are. */
export interface KeyChange {
  readonly id: string;
  readonly label?: string | null;
  /** Replaces each of the given lists. */
  readonly allow?: AllowLists;
  /** Removes the lists that are not given. */
  readonly dropsAllow?: boolean;
  readonly expiresAt_ms?: number | null;
}

export interface KeyRotation {
  readonly id: string;
  /** Gets the account, allow-lists, label and expiry of the old key. */
  readonly replacement: Pick<Key, 'id' | 'hash' | 'prefix'>;
  /** How long the old key stays valid. */
  readonly overlap_ms: number;
}

/** Whether an account was created or changed, or why not. */
export type AccountOutcome = 'done' | 'account_exists' | 'no_account' | 'no_plan' | 'terms_missing';

/** A range of UTC days, both ends included, for one account or for all. */
export interface UsageQuery {
  readonly accountId: string | undefined;
  /** Undefined: the store's current day. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Totals of an account's day; part of `leased` may already be spent by running gateways. */
export interface DayTotals {
  readonly accountId: string;
  readonly day: string;
  readonly spent: number;
  readonly lost: number;
  readonly leased: number;
}

export interface UsageListing {
  readonly today: string;
  readonly days: readonly DayTotals[];
  readonly rows: readonly UsageRow[];
  /** Whether there are more rows than listed. */
  readonly isTruncated: boolean;
}
