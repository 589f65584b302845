import type { UsageRow } from '../store/records.ts';

/** The account and key that a call is charged to. */
export interface Spender {
  readonly accountId: string;
  readonly keyId: string;
  readonly creditsPerDay: number;
}

/** Credits reserved for one call; exactly one of `settle` and `release` is called, once. */
export interface Reservation {
  readonly credits: number;
  settle(): void;
  release(): void;
}

export type Refusal =
  | {
      readonly reason: 'credits_exhausted';
      readonly cost: number;
      readonly remaining: number;
      readonly resetsAt_ms: number;
    }
  | { readonly reason: 'store_unavailable' };

export const STORE_UNAVAILABLE: Refusal = Object.freeze({ reason: 'store_unavailable' });

/** The outcome, if it is known at once, or a promise if the store must be asked. */
export type Reserving = Reservation | Refusal | Promise<Reservation | Refusal>;

/** The current balance of an account. */
export interface Balance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt_ms: number;
}

export interface UsageReport extends Balance {
  readonly day: string;
  readonly used: number;
  /** Credits held by expired leases. */
  readonly lost: number;
  readonly rows: readonly UsageRow[];
}

/** Keeps every account within its credits per day. */
export interface Ledger {
  reserve(spender: Spender, method: string, cost: number): Reserving;
  /** Returns undefined before the account's first call of the day. */
  balance(spender: Spender): Balance | undefined;
  /** Resolves to today's usage. Rejects if the store cannot be read. */
  usage(spender: Spender): Promise<UsageReport>;
  /** Writes all unreported usage. Rejects if the store does; no usage is dropped. */
  flush(): Promise<void>;
}
