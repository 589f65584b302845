import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { service } from '../../generated/service.ts';
import { AdminError } from '../../src/admin/admin-error.ts';
import { describeStore, IN_MEMORY, isInMemory, readStoreAddress } from '../../src/store/address.ts';
import { StoreError } from '../../src/store/database.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { exitCodes } from './verb.ts';

export interface StoreOptions {
  readonly store: string;
}

/** Where accounts, keys and usage are kept. */
export function storeOption(): Option {
  const home = process.env['SPECGATE_HOME'] ?? '.specgate';
  return new Option('-s, --store <url>', 'sqlite:PATH, a path, or postgres://user:password@host/db')
    .env('SPECGATE_STORE')
    .default(join(home, 'specgate.sqlite'), 'that of specgate dev');
}

/** What to do where there is no store yet: a name that was mistyped makes none unless it has to. */
export type WhenAbsent = 'refuse' | 'make' | 'do without';

/** Does something with a store and closes it; what the user can mend is told in one line. */
export async function administer(
  { store: address }: StoreOptions,
  work: (store: Store) => Promise<void>,
  whenAbsent: WhenAbsent = 'refuse',
): Promise<void> {
  try {
    const isAbsent = whenAbsent !== 'make' && isMissing(address);
    if (isAbsent && whenAbsent === 'refuse') {
      throw new AdminError(
        `there is no store at ${address}; give the gateway's with --store, or begin one with: specgate accounts create`,
      );
    }
    const store = await openStore(isAbsent ? IN_MEMORY : address);
    try {
      // A store no gateway has used yet knows no plans.
      await store.addPlans(service.plans);
      await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof AdminError) console.error(`specgate: ${error.message}`);
    else if (error instanceof StoreError) console.error(`specgate: ${explain(error, address)}`);
    else throw error;
    process.exitCode = exitCodes.unusable;
  }
}

function isMissing(address: string): boolean {
  const read = readStoreAddress(address);
  return read.engine === 'sqlite' && !isInMemory(address) && !existsSync(read.path);
}

function explain({ message }: StoreError, address: string): string {
  return `the store ${describeStore(address)} cannot be used (${message}); check --store and rights`;
}
