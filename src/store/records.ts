/** What an account may use: per UTC day, and per second. */
export interface Plan {
  readonly name: string;
  /** Null: each account of the plan has its own. */
  readonly creditsPerDay: number | null;
  readonly callsPerSecond: number | null;
  /** Calls may go to a partner when the network's own nodes cannot answer. */
  readonly forwarding: boolean;
}

/** An account as it is agreed on. */
export interface AccountTerms {
  readonly id: string;
  readonly plan: string;
  /** Null: as the plan says. */
  readonly creditsPerDay: number | null;
  readonly callsPerSecond: number | null;
}

export interface Account extends AccountTerms {
  /** Since when none of its keys is accepted; null: they are. */
  readonly suspendedAt_ms: number | null;
}

/** What a key is restricted to; an absent list restricts nothing. */
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
  /** First letters of the key, for display. */
  readonly prefix: string;
  readonly allow: AllowLists;
  readonly expiresAt_ms: number | null;
  readonly revokedAt_ms: number | null;
}

/** Rows that changed after some revision, and the revision they bring one to. */
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
