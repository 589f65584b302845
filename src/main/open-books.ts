import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { followAccounts } from '../auth/follow-accounts.ts';
import { KeyIndex } from '../auth/key-index.ts';
import type { Limits } from '../config/limits.ts';
import type { Config } from '../config/schema.ts';
import { DailyLedger } from '../credits/daily-ledger.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { Plan } from '../store/records.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { every } from '../time/periodic.ts';
import type { Closers } from './closers.ts';
import { seedStore } from './seed.ts';
import { StartError } from './start-error.ts';

/** Who may call, and what they have used: in memory, and kept in the store. */
export interface Books {
  readonly index: KeyIndex;
  readonly ledger: Ledger;
}

export interface BooksOptions {
  readonly plans: readonly Plan[];
  readonly limits: Limits;
  readonly clock: Clock;
  readonly closers: Closers;
  /** Keys, accounts or plans have changed. */
  readonly onChange: () => void;
  readonly onStoreFailure: (error: unknown) => void;
}

/** Opens the store, brings it up to date, and begins to follow and to feed it. */
export async function openBooks(
  { store: path, accounts }: Pick<Config, 'store' | 'accounts'>,
  { plans, limits, clock, closers, onChange, onStoreFailure }: BooksOptions,
): Promise<Books> {
  const store = await openStoreAt(path);
  closers.add(() => store.close());
  await seedStore(store, plans, accounts);
  const ledger = new DailyLedger(store, clock, limits);
  const flushing = every(limits.usage_flush_ms, () => ledger.flush(), onStoreFailure);
  closers.add(async () => {
    await flushing.stop();
    await ledger.flush();
  });
  const index = new KeyIndex();
  const interval_ms = limits.key_refresh_ms;
  const following = await followAccounts(store, index, {
    interval_ms,
    onChange,
    onFailure: onStoreFailure,
  });
  closers.add(() => following.stop());
  return { index, ledger };
}

async function openStoreAt(path: string): Promise<Store> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await openStore(path);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`the store ${path} cannot be opened (${message}); check path and rights`);
  }
}
