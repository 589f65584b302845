export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/**
 * Runs one SQL statement. Values stand for `?`, in order. Statements keep to what SQLite and
 * PostgreSQL both understand. Rejects with StoreError.
 */
export type Query = (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** One database, whatever engine stands behind it. */
export interface Database {
  readonly query: Query;
  /** Runs `work` in a transaction that no other statement enters; rolls back when it rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The store cannot be reached, or refused a statement. */
export class StoreError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'StoreError';
  }
}
