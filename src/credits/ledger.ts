import type { UsageRow } from '../store/records.ts';

/** Who pays. */
export interface Spender {
  readonly accountId: string;
  readonly keyId: string;
  readonly creditsPerDay: number;
}

/** Credits set aside for one call: exactly one of the two is called, once. */
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

/** An account's balance as of now. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt_ms: number;
}

export interface UsageReport extends Standing {
  readonly day: string;
  readonly used: number;
  /** Lost with instances that ended without returning what they held. */
  readonly lost: number;
  readonly rows: readonly UsageRow[];
}

/**
 * Keeps every account within its daily credits. `reserve` answers at once whenever it can, and with
 * a promise when the store has to be asked first.
 */
export interface Ledger {
  reserve(
    spender: Spender,
    method: string,
    cost: number,
  ): Reservation | Refusal | Promise<Reservation | Refusal>;
  /** Undefined before the account's first call of the day. */
  standing(spender: Spender): Standing | undefined;
  /** Today's use. Rejects when the store cannot be read. */
  usage(spender: Spender): Promise<UsageReport>;
  /** Writes what is not written yet. Rejects when the store does; nothing is lost. */
  flush(): Promise<void>;
}
