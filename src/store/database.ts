export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/**
 * Runs one SQL statement; values replace `?` in order. Statements are valid in SQLite and
 * PostgreSQL. Columns get the names of record fields (`toRecord`); the caller states the type of the rows.
 */
export type Query = <T = Row>(sql: string, values?: readonly Value[]) => Promise<readonly T[]>;

/** Renames the columns of a row: `credits_per_day` to `creditsPerDay`; units keep their underscore. */
export function toRecord(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [fieldOf(name), value]));
}

function fieldOf(column: string): string {
  return column.replaceAll(/_(?!ms$)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The changes of a transaction become visible all at once. */
export interface Transaction {
  readonly query: Query;
  /** The store's clock in Unix milliseconds, the same for all processes that use the store. */
  readonly now_ms: () => Promise<number>;
}

/** `read` sees one snapshot of the store; `write` and `migrate` also change it. */
export type Access = 'read' | 'write' | 'migrate';

/** An atomic unit of work. Args and result are plain data. */
export interface Operation<Args, Result> {
  readonly access: Access;
  readonly run: (transaction: Transaction, args: Args) => Promise<Result>;
}

/** Creates an operation that sees one snapshot of the store. */
export function read<Args, Result>(run: Operation<Args, Result>['run']): Operation<Args, Result> {
  return { access: 'read', run };
}

/** Creates an operation that changes the store. */
export function write<Args, Result>(run: Operation<Args, Result>['run']): Operation<Args, Result> {
  return { access: 'write', run };
}

/** The store cannot be reached, or rejected an operation. */
export class StoreError extends Error {
  /** Whether the operation may nevertheless have been applied. */
  readonly isUncertain: boolean;

  constructor(detail: string, { isUncertain = false }: { readonly isUncertain?: boolean } = {}) {
    super(detail);
    this.name = 'StoreError';
    this.isUncertain = isUncertain;
  }
}

export interface EngineOptions {
  /** Timeout of a statement and of waiting for a lock. */
  readonly statement_ms: number;
  /** Timeout of connecting and of waiting for a free connection. */
  readonly connect_ms: number;
  /** Maximum number of connections to PostgreSQL; SQLite has one. */
  readonly connections: number;
  /** Maximum number of waiting operations. */
  readonly waiting: number;
  /** Replaces the store's clock. */
  readonly now_ms: (() => number) | undefined;
}

export const defaultEngineOptions: EngineOptions = Object.freeze({
  statement_ms: 5_000,
  connect_ms: 2_000,
  connections: 8,
  waiting: 1_000,
  now_ms: undefined,
});
