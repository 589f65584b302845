import type { LeaseUsage } from '../store/leases.ts';

type MutableUsage = { -readonly [Field in keyof LeaseUsage]: LeaseUsage[Field] };

/** Calls charged: one row per key and method, however many there are. */
export class UsageTally {
  #rows = new Map<string, Map<string, MutableUsage>>();
  #credits = 0;
  #isEmpty = true;

  get credits(): number {
    return this.#credits;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  add(keyId: string, method: string, credits: number): void {
    this.put({ keyId, method, calls: 1, credits });
  }

  put({ keyId, method, calls, credits }: LeaseUsage): void {
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
    this.#isEmpty = false;
  }

  rows(): readonly LeaseUsage[] {
    return [...this.#rows.values()].flatMap((methods) => [...methods.values()]);
  }

  /** The rows, and begins anew. */
  take(): readonly LeaseUsage[] {
    const rows = this.rows();
    this.#rows = new Map();
    this.#credits = 0;
    this.#isEmpty = true;
    return rows;
  }
}
