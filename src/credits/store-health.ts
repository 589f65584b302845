import type { EndedOperation } from '../store/store.ts';

/** Operations without which calls are refused, now or once the leases held have ended. */
const NEEDED: ReadonlySet<string> = new Set<EndedOperation['name']>([
  'renewLeases',
  'closeExpiredLeases',
  'readChanges',
]);
/** One failure may be a connection that broke; from the second on the store is down. */
const FAILURES_WHEN_DOWN = 2;
/** So many calls refused in a row, none served between: leases of other accounts help no caller. */
const REFUSALS_WHEN_OUT = 20;

/**
 * Whether calls can be paid for, by what operations of the store and calls have come to. An outage
 * that is bridged by leases is none to callers, and does not count as one.
 */
export class StoreHealth {
  /** Failures in a row, by operation: reading may go on where nothing can be written. */
  readonly #failures = new Map<string, number>();
  /** Calls refused for want of the store since it last answered, and since one was served. */
  #refusals = 0;

  onOperation({ name, hasFailed }: Pick<EndedOperation, 'name' | 'hasFailed'>): void {
    if (!NEEDED.has(name)) return;
    this.#failures.set(name, hasFailed ? (this.#failures.get(name) ?? 0) + 1 : 0);
    if (name === 'renewLeases' && !hasFailed) this.#refusals = 0;
  }

  /** A call has got its credits. */
  onServed(): void {
    // Once out, only the store ends it: readiness must not change with every call.
    if (this.#refusals < REFUSALS_WHEN_OUT) this.#refusals = 0;
  }

  /** A call was refused for want of the store. */
  onRefused(): void {
    this.#refusals += 1;
  }

  /** Whether every call is refused for want of the store; `hasCredits`: some lease can be spent. */
  isOut(hasCredits: boolean): boolean {
    if (this.#refusals >= REFUSALS_WHEN_OUT) return true;
    let failures = this.#refusals;
    for (const inARow of this.#failures.values()) failures += inARow;
    return failures >= FAILURES_WHEN_DOWN && !hasCredits;
  }
}
