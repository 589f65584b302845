/** Who is counted, and how fast it may call. */
export interface RateSubject {
  readonly accountId: string;
  readonly callsPerSecond: number;
}

export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
}

/** How much of the bucket is used, as the time it takes to drain. */
interface Bucket {
  used_ms: number;
  drainedAt_ms: number;
}

/** What the bucket holds, as the time it takes to drain: one second's calls. */
const CAPACITY_MS = 1_000;

/** What an account without any calls is told to wait. */
const LONGEST_WAIT_MS = 3_600_000;

/** Thirds and sevenths of a second must still add up to a second. */
const ROUNDING_MS = 1e-6;

/**
 * A token bucket for each account, of one second's calls: it may be emptied at once and fills
 * evenly. Holds one small entry for each account that ever called.
 */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #monotonic_ms: () => number;

  constructor(monotonic_ms: () => number) {
    this.#monotonic_ms = monotonic_ms;
  }

  /** Takes a call's token. Returns 0, or in how many milliseconds there will be one. */
  take(subject: RateSubject): number {
    const bucket = this.#drained(subject.accountId);
    const call_ms = CAPACITY_MS / subject.callsPerSecond;
    const wait_ms = bucket.used_ms + call_ms - CAPACITY_MS;
    if (wait_ms > ROUNDING_MS) return Math.min(Math.ceil(wait_ms), LONGEST_WAIT_MS);
    bucket.used_ms += call_ms;
    return 0;
  }

  standing({ accountId, callsPerSecond }: RateSubject): RateStanding {
    const free_ms = CAPACITY_MS - this.#drained(accountId).used_ms + ROUNDING_MS;
    const remaining = Math.floor((free_ms * callsPerSecond) / CAPACITY_MS);
    return { limit: callsPerSecond, remaining: Math.max(0, remaining) };
  }

  #drained(accountId: string): Bucket {
    const now_ms = this.#monotonic_ms();
    let bucket = this.#buckets.get(accountId);
    if (bucket === undefined) {
      bucket = { used_ms: 0, drainedAt_ms: now_ms };
      this.#buckets.set(accountId, bucket);
    }
    bucket.used_ms = Math.max(0, bucket.used_ms - (now_ms - bucket.drainedAt_ms));
    bucket.drainedAt_ms = now_ms;
    return bucket;
  }
}
