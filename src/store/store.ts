import { readStoreAddress } from './address.ts';
import { defaultEngineOptions, type EngineOptions } from './database.ts';
import {
  operations,
  type ArgsOf,
  type Database,
  type OperationName,
  type ResultOf,
} from './operations/index.ts';
import { openSqlite } from './sqlite.ts';

export interface StoreOptions extends Partial<EngineOptions> {
  /** Whether to create a missing store; default true. Otherwise opening an empty database fails. */
  readonly creates?: boolean;
  readonly onOperation?: (name: OperationName) => void;
  readonly onOperationEnd?: (operation: EndedOperation) => void;
}

export interface EndedOperation {
  readonly name: OperationName;
  readonly hasFailed: boolean;
  readonly duration_ms: number;
}

/** The persistent state of gateways. A method that fails rejects with StoreError. */
export type Store = {
  readonly [Name in Exclude<OperationName, 'migrate'>]: (
    args: ArgsOf<Name>,
  ) => Promise<ResultOf<Name>>;
} & { close(): Promise<void> };

/**
 * Opens the store at `postgres://…`, `sqlite:PATH` or a path. Creates it if it is missing (unless
 * `creates` is false) and migrates it as needed. Rejects with StoreError.
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  const database = await openDatabase(address, { ...defaultEngineOptions, ...options });
  try {
    await database.perform('migrate', { creates: options.creates ?? true });
  } catch (error) {
    await database.close().catch(() => undefined);
    throw error;
  }
  return storeOver(database, options);
}

async function openDatabase(text: string, options: EngineOptions): Promise<Database> {
  const address = readStoreAddress(text);
  if (address.engine === 'sqlite') return openSqlite(address.path, options);
  // SQLite users do not load the PostgreSQL client.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(address.url, options);
}

function storeOver(
  database: Database,
  { onOperation, onOperationEnd }: Pick<StoreOptions, 'onOperation' | 'onOperationEnd'>,
): Store {
  const methods: Record<string, unknown> = { close: () => database.close() };
  for (const name of Object.keys(operations) as OperationName[]) {
    methods[name] = (args: never) => {
      onOperation?.(name);
      const result = database.perform(name, args);
      if (onOperationEnd === undefined) return result;
      const start_ms = performance.now();
      const end = (hasFailed: boolean): void =>
        onOperationEnd({ name, hasFailed, duration_ms: performance.now() - start_ms });
      result.then(
        () => end(false),
        () => end(true),
      );
      return result;
    };
  }
  return methods as Store;
}
