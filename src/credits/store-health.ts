import type { EndedOperation } from '../store/store.ts';

/** Operations without which calls are rejected, immediately or when the leases end. */
const REQUIRED: ReadonlySet<string> = new Set<EndedOperation['name']>([
  'renewLeases',
  'closeExpiredLeases',
  'readChanges',
]);
/** One failure may be a broken connection; after two in a row the store is down. */
const FAILURES_WHEN_DOWN = 2;
/** After this many rejected calls in a row, at different times, leases of other accounts no longer count. */
const REFUSALS_WHEN_DOWN = 5;

/** Calls rejected within this time count once: many may have waited for the same operation. */
const SAME_TIME_MS = 1_000;

/** Time without a rejected call after which earlier ones count again only with the next one. */
const QUIET_MS = 10_000;

export interface StoreHealthOptions {
  /** How long a call waits for the store. */
  readonly store_wait_ms: number;
  readonly monotonic_ms: () => number;
}

/**
 * Whether calls can be charged, derived from the outcomes of store operations and of calls. An outage
 * during which leases suffice does not affect callers and does not count.
 */
export class StoreHealth {
  /** Failures in a row by operation: reading may work while writing does not. */
  readonly #failures = new Map<string, number>();
  /** Calls rejected since the store last responded in time and since a call was last served. */
  #refusals = 0;
  /** Whether the store has responded too late since the last rejected call. */
  #hasRespondedLate = false;
  #refusedAt_ms = 0;
  readonly #options: StoreHealthOptions;

  constructor(options: StoreHealthOptions) {
    this.#options = options;
  }

  onOperation({ name, hasFailed, duration_ms }: EndedOperation): void {
    if (!REQUIRED.has(name)) return;
    this.#failures.set(name, hasFailed ? (this.#failures.get(name) ?? 0) + 1 : 0);
    if (name !== 'renewLeases' || hasFailed) return;
    // A response that is slower than calls wait serves only later ones, if any.
    if (duration_ms < this.#options.store_wait_ms) this.#refusals = 0;
    else this.#hasRespondedLate = true;
  }

  /** Records that a call got its credits. */
  onServed(): void {
    // Once the store counts as down, only its own response ends that, or a call after a late one, so that
    // readiness does not change with every call.
    if (this.#refusals < REFUSALS_WHEN_DOWN || this.#hasRespondedLate) this.#refusals = 0;
  }

  /** Records that a call was rejected because the store was unavailable. */
  onRefused(): void {
    this.#hasRespondedLate = false;
    const now_ms = this.#options.monotonic_ms();
    if (this.#refusals > 0 && now_ms - this.#refusedAt_ms < SAME_TIME_MS) return;
    this.#refusals += 1;
    this.#refusedAt_ms = now_ms;
  }

  /** Whether all calls are rejected. `hasCredits`: whether any lease can still be spent. */
  isDown(hasCredits: boolean): boolean {
    const refusals = this.#isQuiet() ? 0 : this.#refusals;
    if (refusals >= REFUSALS_WHEN_DOWN) return true;
    let failures = refusals;
    for (const inARow of this.#failures.values()) failures += inARow;
    return failures >= FAILURES_WHEN_DOWN && !hasCredits;
  }

  /** Without calls, nothing else would show that a store that was slow responds in time again. */
  #isQuiet(): boolean {
    const isFailing = (this.#failures.get('renewLeases') ?? 0) > 0;
    return !isFailing && this.#options.monotonic_ms() - this.#refusedAt_ms > QUIET_MS;
  }
}
