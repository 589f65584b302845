import type { Changes } from '../store/records.ts';
import { every, type Periodic } from '../time/periodic.ts';
import type { KeyIndex } from './key-index.ts';

/** Where accounts, keys and plans are kept. */
export interface AccountSource {
  /** Rows changed after `revision`; from 0, all. */
  readChanges(revision: number): Promise<Changes>;
}

/**
 * Fills `index` from `source`, then keeps it up to date by asking every `interval_ms`, so that a
 * change reaches a running gateway within that time. Rejects when the first reading fails.
 */
export async function followAccounts(
  source: AccountSource,
  index: KeyIndex,
  options: {
    readonly interval_ms: number;
    /** Called after changes have been taken over. */
    readonly onChange: () => void;
    /** A later reading failed; the index stays as it is and the next reading comes. */
    readonly onFailure: (error: unknown) => void;
  },
): Promise<Periodic> {
  let revision = 0;
  const read = async (): Promise<void> => {
    const changes = await source.readChanges(revision);
    if (changes.revision === revision) return;
    revision = changes.revision;
    index.apply(changes);
    options.onChange();
  };
  await read();
  return every(options.interval_ms, read, options.onFailure);
}
