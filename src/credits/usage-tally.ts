import type { LeaseUsage } from '../store/leases.ts';

type MutableUsage = { -readonly [Field in keyof LeaseUsage]: LeaseUsage[Field] };

/** Charged calls, in one row per key and method. */
export class UsageTally {
  #rows = new Map<string, Map<string, MutableUsage>>();
  #credits = 0;

  get credits(): number {
    return this.#credits;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  add({ keyId, method, calls, credits }: LeaseUsage): void {
    let methods = this.#rows.get(keyId);
    if (methods === undefined) {
      methods = new Map();
      this.#rows.set(keyId, methods);
    }
    const row = methods.get(method);
    if (row === undefined) {
      methods.set(method, { keyId, method, calls, credits });
    } else {
      row.calls += calls;
      row.credits += credits;
    }
    this.#credits += credits;
  }

  rows(): readonly LeaseUsage[] {
    return [...this.#rows.values()].flatMap((methods) => [...methods.values()]);
  }

  /** Returns the rows and clears the tally. */
  take(): readonly LeaseUsage[] {
    const rows = this.rows();
    this.#rows = new Map();
    this.#credits = 0;
    return rows;
  }
}
