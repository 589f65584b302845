import { readStoreAddress } from './address.ts';
import type { Database, ArgsOf, OperationName, ResultOf } from './operations/index.ts';
import { operations } from './operations/index.ts';
import { defaultEngineOptions, type EngineOptions } from './engine-options.ts';
import { openSqlite } from './sqlite.ts';

export interface StoreOptions extends Partial<EngineOptions> {
  /** Hears of every operation that is begun. */
  readonly onOperation?: (name: OperationName) => void;
}

/** Everything that outlives a gateway. Every method rejects with StoreError. */
export type Store = {
  readonly [Name in Exclude<OperationName, 'migrate'>]: (
    args: ArgsOf<Name>,
  ) => Promise<ResultOf<Name>>;
} & { close(): Promise<void> };

/**
 * Opens the store at `postgres://…`, `sqlite:PATH` or a path, creating and migrating it as needed.
 * Rejects with StoreError.
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  const { onOperation, ...set } = options;
  const database = await openDatabase(address, { ...defaultEngineOptions, ...set });
  try {
    await database.perform('migrate', null);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
  return storeOver(database, onOperation);
}

async function openDatabase(text: string, options: EngineOptions): Promise<Database> {
  const address = readStoreAddress(text);
  if (address.engine === 'sqlite') return openSqlite(address.path, options);
  // Who keeps everything in one file does not load a client for PostgreSQL.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(address.url, options);
}

function storeOver(database: Database, onOperation: StoreOptions['onOperation']): Store {
  const methods: Record<string, unknown> = { close: () => database.close() };
  for (const name of Object.keys(operations) as OperationName[]) {
    methods[name] = (args: never) => {
      onOperation?.(name);
      return database.perform(name, args);
    };
  }
  return methods as Store;
}
