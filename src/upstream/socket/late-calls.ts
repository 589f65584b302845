import type { PendingCall } from './pending-call.ts';

/** Maximum number of ended calls whose response may still arrive; the oldest are forgotten. */
const MAX_LATE = 4_096;

/** The accounts of calls that were sent and ended before their response arrived, by id. */
export class LateCalls {
  readonly #accounts = new Map<string, string | undefined>();

  get size(): number {
    return this.#accounts.size;
  }

  get accounts(): readonly string[] {
    return [...this.#accounts.values()].flatMap((account) => account ?? []);
  }

  /** The oldest call of an account. */
  get oldest(): Pick<PendingCall, 'id' | 'account'> | undefined {
    let oldest: { readonly id: string; readonly account: string } | undefined;
    for (const [id, account] of this.#accounts) {
      if (account === undefined || Number(id) > Number(oldest?.id ?? Infinity)) continue;
      oldest = { id, account };
    }
    return oldest;
  }

  has(id: string): boolean {
    return this.#accounts.has(id);
  }

  accountOf(id: string): string | undefined {
    return this.#accounts.get(id);
  }

  /** Adds a call, unless it has not been sent. */
  add({ id, account }: PendingCall): void {
    if (id === undefined) return;
    this.#accounts.set(id, account);
    if (this.#accounts.size <= MAX_LATE) return;
    const [oldest] = this.#accounts.keys();
    this.#accounts.delete(oldest!);
  }

  /** Returns the account of the deleted call. */
  delete(id: string): string | undefined {
    const account = this.#accounts.get(id);
    this.#accounts.delete(id);
    return account;
  }
}
