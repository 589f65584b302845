import type { UsageRow } from '../store/records.ts';

/** Takes over usage, all rows or none. */
export type WriteUsage = (rows: readonly UsageRow[]) => Promise<void>;

type MutableRow = { -readonly [Field in keyof UsageRow]: UsageRow[Field] };
type RowKey = Omit<UsageRow, 'calls' | 'credits'>;

/**
 * Usage on its way to the store: one row per account, key, day and method however many calls are
 * charged, written in the background. What could not be written stays and is tried again.
 */
export class UsageBuffer {
  #rows = new Map<string, MutableRow>();
  /** Rows being written; empty when no writing is under way. */
  #writing: readonly UsageRow[] = [];
  #flushing: Promise<void> | undefined;
  readonly #write: WriteUsage;

  constructor(write: WriteUsage) {
    this.#write = write;
  }

  /** Rows held in memory. */
  get size(): number {
    return this.#rows.size + this.#writing.length;
  }

  add(row: RowKey, calls: number, credits: number): void {
    addTo(this.#rows, row, { calls, credits });
  }

  /** Rows of an account and day that no reading of the store issued before now has seen. */
  pending(accountId: string, day: string): readonly UsageRow[] {
    return [...this.#writing, ...this.#rows.values()].filter(
      (row) => row.accountId === accountId && row.day === day,
    );
  }

  /** Writes all that was added before the call. Rejects when the store does; nothing is lost. */
  async flush(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
    if (this.#rows.size === 0) return;
    this.#flushing = this.#writeRows();
    await this.#flushing;
  }

  async #writeRows(): Promise<void> {
    const rows = [...this.#rows.values()];
    this.#writing = rows;
    this.#rows = new Map();
    try {
      await this.#write(rows);
      this.#writing = [];
    } catch (error) {
      this.#writing = [];
      for (const { calls, credits, ...row } of rows) this.add(row, calls, credits);
      throw error;
    } finally {
      this.#flushing = undefined;
    }
  }
}

/** Rows that differ at least in account, key, day or method. */
export function mergeRows(rows: readonly UsageRow[]): readonly UsageRow[] {
  const merged = new Map<string, MutableRow>();
  for (const { calls, credits, ...row } of rows) addTo(merged, row, { calls, credits });
  return [...merged.values()];
}

function addTo(
  rows: Map<string, MutableRow>,
  row: RowKey,
  { calls, credits }: { calls: number; credits: number },
): void {
  const key = `${row.accountId}\n${row.keyId}\n${row.day}\n${row.method}`;
  const held = rows.get(key);
  if (held === undefined) {
    rows.set(key, { ...row, calls, credits });
  } else {
    held.calls += calls;
    held.credits += credits;
  }
}
