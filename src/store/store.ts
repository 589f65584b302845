import { readStoreAddress } from './address.ts';
import type { Database, ArgsOf, OperationName, ResultOf } from './operations/index.ts';
import { operations } from './operations/index.ts';
import { defaultEngineOptions, type EngineOptions } from './engine-options.ts';
import { openSqlite } from './sqlite.ts';

export interface StoreOptions extends Partial<EngineOptions> {
  /** Hears of every operation that is begun. */
  readonly onOperation?: (name: OperationName) => void;
  /** Hears of every operation that has ended. */
  readonly onOperationEnd?: (operation: EndedOperation) => void;
}

export interface EndedOperation {
  readonly name: OperationName;
  /** Whether it was rejected. */
  readonly hasFailed: boolean;
  readonly duration_ms: number;
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
  const { onOperation, onOperationEnd, ...set } = options;
  const database = await openDatabase(address, { ...defaultEngineOptions, ...set });
  try {
    await database.perform('migrate', null);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
  return storeOver(database, { onOperation, onOperationEnd });
}

async function openDatabase(text: string, options: EngineOptions): Promise<Database> {
  const address = readStoreAddress(text);
  if (address.engine === 'sqlite') return openSqlite(address.path, options);
  // Who keeps everything in one file does not load a client for PostgreSQL.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(address.url, options);
}

type Watcher = {
  readonly [Hook in 'onOperation' | 'onOperationEnd']: StoreOptions[Hook] | undefined;
};

function storeOver(database: Database, { onOperation, onOperationEnd }: Watcher): Store {
  const methods: Record<string, unknown> = { close: () => database.close() };
  for (const name of Object.keys(operations) as OperationName[]) {
    methods[name] = (args: never) => {
      onOperation?.(name);
      const performed = database.perform(name, args);
      if (onOperationEnd !== undefined) time(performed, name, onOperationEnd);
      return performed;
    };
  }
  return methods as Store;
}

function time(
  performed: Promise<unknown>,
  name: OperationName,
  onEnd: (operation: EndedOperation) => void,
): void {
  const began_ms = performance.now();
  const end = (hasFailed: boolean): void =>
    onEnd({ name, hasFailed, duration_ms: performance.now() - began_ms });
  performed.then(
    () => end(false),
    () => end(true),
  );
}
