import type { Changes } from '../store/records.ts';
import { every, type Periodic } from '../time/periodic.ts';
import type { KeyIndex } from './key-index.ts';

export interface AccountSource {
  /** Reads the rows that changed after `revision`; 0 reads all rows. */
  readChanges(revision: number): Promise<Changes>;
}

/**
 * Fills `index` from `source`, then applies changes every `interval_ms`. Rejects if the first read
 * fails.
 */
export async function followAccounts(
  source: AccountSource,
  index: KeyIndex,
  options: {
    readonly interval_ms: number;
    /** Called after changes were applied. */
    readonly onChange: () => void;
    /** Called when a later read fails; the index stays as it is until the next read. */
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
