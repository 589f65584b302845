import type { CallRates } from './account-leases.ts';
import { UsageRate } from './usage-rate.ts';

/** An account and its rate limit. */
export interface RateSubject {
  readonly accountId: string;
  readonly callsPerSecond: number;
}

export interface RateBalance {
  readonly limit: number;
  readonly remaining: number;
}

interface Bucket {
  /** The used part, as the time it takes to drain. */
  used_ms: number;
  drainedAt_ms: number;
  /** All calls, rate-limited ones included. */
  readonly calls: UsageRate;
  /** The account's limit over all instances, as far as known. */
  callsPerSecond: number;
  /** This instance's share of the limit. */
  part: number;
}

/** A bucket holds the calls of one second. */
const CAPACITY_MS = 1_000;

/** The maximum Retry-After, for an account whose limit allows no calls. */
const MAX_WAIT_MS = 3_600_000;

/** Allows for rounding: thirds and sevenths of a second must still add up to a second. */
const ROUNDING_MS = 1e-6;

/** Averaging window of the measured call rate. */
const WINDOW_MS = 5_000;
const SECONDS_PER_MINUTE = 60;

/**
 * A token bucket per account that holds one second's calls. Each of several instances has a share of the
 * limit, which adapts to the measured calls within the life of a lease, so that the limit over all
 * instances is approximate. Keeps one small entry per account that has ever called.
 */
export class RateLimit implements CallRates {
  readonly #buckets = new Map<string, Bucket>();
  readonly #monotonic_ms: () => number;

  constructor(monotonic_ms: () => number) {
    this.#monotonic_ms = monotonic_ms;
  }

  /** Takes a token. Returns 0, or the milliseconds until one is available. */
  take(subject: RateSubject): number {
    const bucket = this.#drained(subject.accountId);
    bucket.callsPerSecond = subject.callsPerSecond;
    bucket.calls.add(1);
    const call_ms = CAPACITY_MS / shareOf(bucket);
    const wait_ms = bucket.used_ms + call_ms - CAPACITY_MS;
    if (wait_ms > ROUNDING_MS) return Math.min(Math.ceil(wait_ms), MAX_WAIT_MS);
    bucket.used_ms += call_ms;
    return 0;
  }

  balance({ accountId, callsPerSecond }: RateSubject): RateBalance {
    const bucket = this.#drained(accountId);
    bucket.callsPerSecond = callsPerSecond;
    const free_ms = CAPACITY_MS - bucket.used_ms + ROUNDING_MS;
    const remaining = Math.floor((free_ms * shareOf(bucket)) / CAPACITY_MS);
    return { limit: callsPerSecond, remaining: Math.max(0, remaining) };
  }

  measured(accountId: string): number | null {
    const { calls, callsPerSecond } = this.#drained(accountId);
    // Excess calls to one instance must not reduce the shares of the others.
    return calls.perMinute(this.#monotonic_ms(), callsPerSecond * SECONDS_PER_MINUTE);
  }

  share(accountId: string, part: number): void {
    this.#drained(accountId).part = part;
  }

  #drained(accountId: string): Bucket {
    const now_ms = this.#monotonic_ms();
    let bucket = this.#buckets.get(accountId);
    if (bucket === undefined) {
      const calls = new UsageRate(WINDOW_MS, now_ms);
      bucket = { used_ms: 0, drainedAt_ms: now_ms, calls, callsPerSecond: 0, part: 1 };
      this.#buckets.set(accountId, bucket);
    }
    bucket.used_ms = Math.max(0, bucket.used_ms - (now_ms - bucket.drainedAt_ms));
    bucket.drainedAt_ms = now_ms;
    return bucket;
  }
}

/** Returns this instance's calls per second: at least 1, so that a bucket can hold a call. */
function shareOf({ callsPerSecond, part }: Bucket): number {
  return Math.min(callsPerSecond, Math.max(1, callsPerSecond * part));
}
