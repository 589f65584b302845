import type { CallRates } from './account-meter.ts';
import { RateOfUse } from './rate-of-use.ts';

/** Who is counted, and how fast it may call. */
export interface RateSubject {
  readonly accountId: string;
  readonly callsPerSecond: number;
}

export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
}

interface Bucket {
  /** How much of it is used, as the time it takes to drain. */
  used_ms: number;
  drainedAt_ms: number;
  /** Calls made, let through or not. */
  readonly calls: RateOfUse;
  /** What the account may in all, as far as known. */
  callsPerSecond: number;
  /** What of that may be used here. */
  part: number;
}

/** What the bucket holds, as the time it takes to drain: one second's calls. */
const CAPACITY_MS = 1_000;

/** What an account without any calls is told to wait. */
const LONGEST_WAIT_MS = 3_600_000;

/** Thirds and sevenths of a second must still add up to a second. */
const ROUNDING_MS = 1e-6;

/** In which the measure of calls follows a change for the most part. */
const WINDOW_MS = 5_000;
const SECONDS_A_MINUTE = 60;

/**
 * A token bucket for each account, of one second's calls: it may be emptied at once and fills
 * evenly. With several instances each has a part of it, which follows what is called where within
 * the time a lease lives: across instances the limit is approximate. Holds one small entry for each
 * account that ever called.
 */
export class RateLimit implements CallRates {
  readonly #buckets = new Map<string, Bucket>();
  readonly #monotonic_ms: () => number;

  constructor(monotonic_ms: () => number) {
    this.#monotonic_ms = monotonic_ms;
  }

  /** Takes a call's token. Returns 0, or in how many milliseconds there will be one. */
  take(subject: RateSubject): number {
    const bucket = this.#drained(subject.accountId);
    bucket.callsPerSecond = subject.callsPerSecond;
    bucket.calls.add(1);
    const call_ms = CAPACITY_MS / hereOf(bucket);
    const wait_ms = bucket.used_ms + call_ms - CAPACITY_MS;
    if (wait_ms > ROUNDING_MS) return Math.min(Math.ceil(wait_ms), LONGEST_WAIT_MS);
    bucket.used_ms += call_ms;
    return 0;
  }

  standing({ accountId, callsPerSecond }: RateSubject): RateStanding {
    const bucket = this.#drained(accountId);
    bucket.callsPerSecond = callsPerSecond;
    const free_ms = CAPACITY_MS - bucket.used_ms + ROUNDING_MS;
    const remaining = Math.floor((free_ms * hereOf(bucket)) / CAPACITY_MS);
    return { limit: callsPerSecond, remaining: Math.max(0, remaining) };
  }

  measured(accountId: string): number | null {
    const { calls, callsPerSecond } = this.#drained(accountId);
    // Who calls too fast in one place must not be given what is called for in another.
    return calls.at(this.#monotonic_ms(), callsPerSecond * SECONDS_A_MINUTE);
  }

  share(accountId: string, part: number): void {
    this.#drained(accountId).part = part;
  }

  #drained(accountId: string): Bucket {
    const now_ms = this.#monotonic_ms();
    let bucket = this.#buckets.get(accountId);
    if (bucket === undefined) {
      const calls = new RateOfUse(WINDOW_MS, now_ms);
      bucket = { used_ms: 0, drainedAt_ms: now_ms, calls, callsPerSecond: 0, part: 1 };
      this.#buckets.set(accountId, bucket);
    }
    bucket.used_ms = Math.max(0, bucket.used_ms - (now_ms - bucket.drainedAt_ms));
    bucket.drainedAt_ms = now_ms;
    return bucket;
  }
}

/** Calls a second here: never so few that a bucket could not hold a single one. */
function hereOf({ callsPerSecond, part }: Bucket): number {
  return Math.min(callsPerSecond, Math.max(1, callsPerSecond * part));
}
