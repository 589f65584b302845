import type { StartTimer } from '../../time/timer.ts';
import type { PendingCall } from './pending-call.ts';

export interface LateCallsOptions {
  /** How long the node is expected to work on a call that has ended. */
  readonly late_ms: number;
  readonly startTimer: StartTimer;
}

interface LateCall {
  readonly account: string | undefined;
  /** The node no longer works on the call. */
  readonly onEnd: () => void;
}

/** Maximum number of ended calls whose response may still arrive; the oldest are forgotten. */
const MAX_LATE = 4_096;

/** Calls that were sent and ended before their response arrived, by id. */
export class LateCalls {
  readonly #options: LateCallsOptions;
  readonly #calls = new Map<string, LateCall>();

  constructor(options: LateCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  get accounts(): readonly string[] {
    return [...this.#calls.values()].flatMap(({ account }) => account ?? []);
  }

  /** The oldest call of an account. */
  get oldest(): Pick<PendingCall, 'id' | 'account'> | undefined {
    let oldest: { readonly id: string; readonly account: string } | undefined;
    for (const [id, { account }] of this.#calls) {
      if (account === undefined || Number(id) > Number(oldest?.id ?? Infinity)) continue;
      oldest = { id, account };
    }
    return oldest;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  accountOf(id: string): string | undefined {
    return this.#calls.get(id)?.account;
  }

  /**
   * Adds a call, unless it has not been sent. Resolves when its response has arrived, the connection has ended
   * or `late_ms` have passed: a node may never respond. The response may still arrive after that.
   */
  add({ id, account }: PendingCall): Promise<void> {
    if (id === undefined) return Promise.resolve();
    const { startTimer, late_ms } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopTimer = startTimer(late_ms, resolve);
    const onEnd = (): void => {
      stopTimer();
      resolve();
    };
    this.#calls.set(id, { account, onEnd });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_LATE) this.delete(oldest!);
    return promise;
  }

  /** Returns the account of the deleted call. */
  delete(id: string): string | undefined {
    const late = this.#calls.get(id);
    this.#calls.delete(id);
    late?.onEnd();
    return late?.account;
  }

  clear(): void {
    for (const id of this.#calls.keys()) this.delete(id);
  }
}
