import type { UsageRow } from './records.ts';

/** Calls charged to a lease; the lease determines their account and day. */
export type LeaseUsage = Pick<UsageRow, 'keyId' | 'method' | 'calls' | 'credits'>;

/** A holder's report on a lease, the credits it returns and the credits it needs. */
export interface LeaseRequest {
  /** Chosen by the holder; belongs to one account and one day for its whole life. */
  readonly leaseId: string;
  readonly accountId: string;
  /** 1 for the first report on a lease, then incremented; a repeated report is not applied again. */
  readonly report: number;
  readonly usage: readonly LeaseUsage[];
  /** Credits of the lease that are returned. */
  readonly returned: number;
  /** Costs of the waiting calls, in order. */
  readonly needs: readonly number[];
  /** The holder's usage in credits per minute; null while unknown. */
  readonly rate: number | null;
  /** Calls per minute, rate-limited ones included; null while unknown. */
  readonly callRate: number | null;
  /** The holder needs no more credits: the lease ends once it holds none. */
  readonly isClosing: boolean;
}

export interface LeaseBatch {
  readonly requests: readonly LeaseRequest[];
  /** Life of a lease after its last request. */
  readonly ttl_ms: number;
  /** Cost of the most expensive call: a lease is never too small for it. */
  readonly max_call_credits: number;
}

/**
 * `expired`: not renewed in time; its credits are lost, except those that the holder reports late.
 * `unknown`: expired so long ago that the store has deleted it.
 */
type LeaseState = 'open' | 'returned' | 'expired' | 'unknown';

export interface LeaseReply {
  readonly leaseId: string;
  readonly state: LeaseState;
  /** The report was already applied; nothing is granted. */
  readonly isRepeated: boolean;
  /** Whether the lease is of the store's current day; nothing is granted on another day. */
  readonly isToday: boolean;
  readonly day: string;
  readonly dayEndsIn_ms: number;
  /** Credits the holder may spend and reserve until its next report. */
  readonly held: number;
  /** Credits the holder should hold at most, given the other holders. */
  readonly share: number;
  /** The holder's share of the account's calls per second, above 0 and at most 1. */
  readonly callShare: number;
  readonly expiresIn_ms: number;
  /** The account's credits of that day: total, reported as spent, lost, left to grant. */
  readonly allowance: number;
  readonly spent: number;
  readonly lost: number;
  readonly remaining: number;
}

/** An account, and those of its leases whose reports are requested. */
export interface DayQuery {
  readonly accountId: string;
  readonly leaseIds?: readonly string[];
}

/** An account's day in the store; credits held by leases are neither spent nor remaining. */
export interface DayReport {
  readonly accountId: string;
  readonly day: string;
  readonly dayEndsIn_ms: number;
  readonly allowance: number;
  readonly spent: number;
  readonly lost: number;
  readonly leased: number;
  readonly usage: readonly UsageRow[];
  /** Number of the last report applied, for each lease that is open or requested. */
  readonly reports: Readonly<Record<string, number>>;
}
