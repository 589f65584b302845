/** How many of something each account has at this time, in this process. */
export class AccountCounts {
  readonly #counts = new Map<string, number>();

  /**
   * Adds one to an account's count; undefined when that is at `limit`. The function returned takes
   * it off again; further calls of it do nothing.
   */
  add(accountId: string, limit: number): (() => void) | undefined {
    const count = this.#counts.get(accountId) ?? 0;
    if (count >= limit) return undefined;
    this.#counts.set(accountId, count + 1);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      const now = this.#counts.get(accountId)! - 1;
      if (now === 0) this.#counts.delete(accountId);
      else this.#counts.set(accountId, now);
    };
  }
}
