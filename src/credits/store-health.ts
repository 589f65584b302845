import type { EndedOperation } from '../store/store.ts';

/** Operations without which calls are rejected, immediately or when the leases end. */
const REQUIRED: ReadonlySet<string> = new Set<EndedOperation['name']>([
  'renewLeases',
  'closeExpiredLeases',
  'readChanges',
]);
/** One failure may be a broken connection; after two in a row the store is down. */
const FAILURES_WHEN_DOWN = 2;
/** After this many rejected calls in a row, leases of other accounts no longer count. */
const REFUSALS_WHEN_DOWN = 20;

/**
 * Whether calls can be charged, derived from the outcomes of store operations and of calls. An outage
 * during which leases suffice does not affect callers and does not count.
 */
export class StoreHealth {
  /** Failures in a row by operation: reading may work while writing does not. */
  readonly #failures = new Map<string, number>();
  /** Calls rejected since the store last responded and since a call was last served. */
  #refusals = 0;

  onOperation({ name, hasFailed }: Pick<EndedOperation, 'name' | 'hasFailed'>): void {
    if (!REQUIRED.has(name)) return;
    this.#failures.set(name, hasFailed ? (this.#failures.get(name) ?? 0) + 1 : 0);
    if (name === 'renewLeases' && !hasFailed) this.#refusals = 0;
  }

  /** Records that a call got its credits. */
  onServed(): void {
    // Once the store counts as down, only its own response ends that, so that readiness does not
    // change with every call.
    if (this.#refusals < REFUSALS_WHEN_DOWN) this.#refusals = 0;
  }

  /** Records that a call was rejected because the store was unavailable. */
  onRefused(): void {
    this.#refusals += 1;
  }

  /** Whether all calls are rejected. `hasCredits`: whether any lease can still be spent. */
  isDown(hasCredits: boolean): boolean {
    if (this.#refusals >= REFUSALS_WHEN_DOWN) return true;
    let failures = this.#refusals;
    for (const inARow of this.#failures.values()) failures += inARow;
    return failures >= FAILURES_WHEN_DOWN && !hasCredits;
  }
}
