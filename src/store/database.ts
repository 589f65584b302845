export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/**
 * Runs one SQL statement. Values stand for `?`, in order. Statements keep to what SQLite and
 * PostgreSQL both understand.
 */
export type Query = (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** What an operation works with: nothing outside sees any of its changes before all of them. */
export interface Transaction {
  readonly query: Query;
  /** The store's own clock, in Unix milliseconds: the same for every process that uses the store. */
  now_ms(): Promise<number>;
}

/** `read` sees one state of the store throughout; `write` and `migrate` also change it. */
export type Access = 'read' | 'write' | 'migrate';

/** Work on the store that is done as a whole or not at all. Args and result are plain data. */
export interface Operation<Args, Result> {
  readonly access: Access;
  run(transaction: Transaction, args: Args): Promise<Result>;
}

/** The store cannot be reached, or refused an operation. */
export class StoreError extends Error {
  /** Whether the operation may have been done all the same: nobody can tell. */
  readonly isUncertain: boolean;

  constructor(detail: string, { isUncertain = false }: { readonly isUncertain?: boolean } = {}) {
    super(detail);
    this.name = 'StoreError';
    this.isUncertain = isUncertain;
  }
}
