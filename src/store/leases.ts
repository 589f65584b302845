import type { UsageRow } from './records.ts';

/** Calls charged on a lease: its account and day are the lease's. */
export type LeaseUsage = Pick<UsageRow, 'keyId' | 'method' | 'calls' | 'credits'>;

/** What the holder of a lease reports, gives back and asks for. */
export interface LeaseRequest {
  /** Chosen by the holder; belongs to one account and one day for ever. */
  readonly leaseId: string;
  readonly accountId: string;
  /** 1 for the first of the lease, then one more each time: a report sent again is not done again. */
  readonly report: number;
  readonly usage: readonly LeaseUsage[];
  /** Credits of the lease that are given back. */
  readonly returned: number;
  /** Costs of calls that wait, in their order. */
  readonly needs: readonly number[];
  /** Credits a minute the holder uses; null when it cannot know yet. */
  readonly rate: number | null;
  /** Calls a minute that are made there, those refused for their rate included; null likewise. */
  readonly callRate: number | null;
  /** Nothing more is wanted: the lease ends once nothing of it is held. */
  readonly isClosing: boolean;
}

export interface LeaseBatch {
  readonly requests: readonly LeaseRequest[];
  /** How long a lease lives from its last request on. */
  readonly ttl_ms: number;
  /** The most a call can cost: a lease is never too small for it. */
  readonly dearest_credits: number;
}

/**
 * `forfeited`: it was not renewed in time; what was held is lost, except what the holder reports
 * late. `unknown`: so late that the store has forgotten it.
 */
export type LeaseState = 'open' | 'returned' | 'forfeited' | 'unknown';

export interface LeaseReply {
  readonly leaseId: string;
  readonly state: LeaseState;
  /** The report had been done before: nothing was granted now. */
  readonly isRepeated: boolean;
  /** Whether the lease's day is still the store's; on another nothing is granted. */
  readonly isToday: boolean;
  readonly day: string;
  readonly dayEndsIn_ms: number;
  /** Credits the holder may have spent and reserved in all until its next report. */
  readonly held: number;
  /** Credits the holder should hold at most, beside what others do. */
  readonly share: number;
  /** The holder's part of the calls a second the account may make, above 0 and up to 1. */
  readonly callShare: number;
  readonly expiresIn_ms: number;
  /** The account's credits on that day: all, spent as far as reported, lost, still to be granted. */
  readonly allowance: number;
  readonly spent: number;
  readonly forfeited: number;
  readonly remaining: number;
}

/** An account's day as the store has it; what is held by leases is neither spent nor remaining. */
export interface DayReport {
  readonly accountId: string;
  readonly day: string;
  readonly dayEndsIn_ms: number;
  readonly allowance: number;
  readonly spent: number;
  readonly forfeited: number;
  readonly leased: number;
  readonly usage: readonly UsageRow[];
  /** Number of the last report done, by lease. */
  readonly reports: Readonly<Record<string, number>>;
}
