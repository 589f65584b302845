import { DatabaseError, Pool, types, type PoolClient, type QueryConfig } from 'pg';
import {
  StoreError,
  toRecord,
  type Access,
  type EngineOptions,
  type Query,
  type Row,
  type Value,
} from './database.ts';
import {
  operations,
  type Database,
  type OperationName,
  type ResultOf,
} from './operations/index.ts';

const CLOCK = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms`;

/** Timeout of a migration, and of waiting for the migration of another process. */
const MIGRATION_MS = 60_000;
/** Key of the lock that lets one process migrate at a time; an arbitrary number. */
const MIGRATION_LOCK = 5_390_417_201;

const openingStatements: Readonly<Record<Access, readonly string[]>> = {
  read: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'],
  write: ['BEGIN'],
  migrate: [
    'BEGIN',
    `SET LOCAL statement_timeout = ${MIGRATION_MS}`,
    `SET LOCAL lock_timeout = ${MIGRATION_MS}`,
    `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  ],
};

/** Error codes of serialization failures and deadlocks, which leave the store unchanged. */
const RETRIED = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 3;

/** The error code of a write to a server that is read-only: another one may be the primary after a failover. */
const READ_ONLY = '25006';

/** Maximum number of cached statements. They differ only in how many rows they insert. */
const MAX_STATEMENTS = 1_000;
const numbered = new Map<string, string>();

/** Types of 64-bit integers and their sums, read as text by default; the store's stay below 2^53. */
const NUMERIC = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC]);

/** Opens a PostgreSQL database with a pool of connections that are made on demand. */
export function openPostgres(url: string, options: EngineOptions): Database {
  const { statement_ms, connect_ms, connections } = options;
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connect_ms,
    statement_timeout: statement_ms,
    lock_timeout: statement_ms,
    // A suspended process must not hold its locks for longer than others wait for them.
    idle_in_transaction_session_timeout: Math.ceil(statement_ms / 2),
    // Applies if the server does not respond; otherwise its own timeouts come first.
    query_timeout: statement_ms + connect_ms,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'specgate',
    allowExitOnIdle: true,
    types: { getTypeParser: (id) => (NUMERIC.has(id) ? Number : types.getTypeParser(id)) },
  });
  // An idle connection may break; the next operation on it fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  const perform = async (name: OperationName, args: unknown): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await performOnce(pool, { name, args, now_ms: options.now_ms?.() });
      } catch (error) {
        const isRetried = RETRIED.has((error as { code?: string }).code ?? '');
        if (!isRetried || attempt === MAX_ATTEMPTS) throw toStoreError(error);
      }
    }
  };
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = work
      .catch(() => undefined)
      .finally(() => running.delete(settled));
    running.add(settled);
    return work;
  };
  return {
    async perform(name, args) {
      if (isClosed) throw new StoreError('the store is closed');
      if (pool.waitingCount >= options.waiting) throw new StoreError('the store is overloaded');
      return (await track(perform(name, args))) as ResultOf<typeof name>;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all(running);
      await pool.end();
    },
  };
}

interface Task {
  readonly name: OperationName;
  readonly args: unknown;
  readonly now_ms: number | undefined;
}

async function performOnce(pool: Pool, { name, args, now_ms }: Task): Promise<unknown> {
  const { access, run } = operations[name];
  const client = await pool.connect();
  const query = queryOver(client, access === 'migrate' ? MIGRATION_MS : undefined);
  let isCommitting = false;
  let failure: Error | undefined;
  try {
    for (const statement of openingStatements[access]) await query(statement);
    const clock = async (): Promise<number> => Number((await query(CLOCK))[0]?.['now_ms']);
    const result = await run(
      { query, now_ms: async () => now_ms ?? (await clock()) },
      args as never,
    );
    isCommitting = true;
    await query('COMMIT');
    return result;
  } catch (error) {
    failure = await rollBack(query, error as Error);
    // Without a response to COMMIT the outcome is unknown; an error response means it was not applied.
    const hasResponded = error instanceof DatabaseError && error.severity !== 'FATAL';
    if (isCommitting && !hasResponded && access !== 'read') {
      throw new StoreError((error as Error).message, { isUncertain: true });
    }
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Resets a connection for the next operation. Resolves to the error if it cannot be reused. */
async function rollBack(query: Query, cause: Error): Promise<Error | undefined> {
  if (!(cause instanceof DatabaseError) && !(cause instanceof StoreError)) return cause;
  if ('code' in cause && cause.code === READ_ONLY) return cause;
  try {
    await query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function queryOver(client: PoolClient, query_timeout: number | undefined): Query {
  return (async (sql, values = []) => {
    const config: QueryConfig<Value[]> & { query_timeout?: number } = {
      text: numberPlaceholders(sql),
      values: [...values],
      ...(query_timeout !== undefined && { query_timeout }),
    };
    return (await client.query<Row>(config)).rows.map(toRecord);
  }) as Query;
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // Node's error has no message if several addresses were tried.
  const { message, code } = error as Error & { code?: string };
  return new StoreError(`PostgreSQL: ${message === '' ? (code ?? 'not reachable') : message}`);
}

/** Replaces `?` by PostgreSQL's `$1`, `$2`…; no statement contains another question mark. */
function numberPlaceholders(sql: string): string {
  let text = numbered.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll('?', () => `$${(count += 1)}`);
    if (numbered.size >= MAX_STATEMENTS) numbered.clear();
    numbered.set(sql, text);
  }
  return text;
}
