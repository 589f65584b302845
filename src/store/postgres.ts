import { DatabaseError, Pool, type PoolClient, type QueryConfig } from 'pg';
import { StoreError, type Access, type Query, type Row, type Value } from './database.ts';
import type { EngineOptions } from './engine-options.ts';
import {
  operations,
  type Database,
  type OperationName,
  type ResultOf,
} from './operations/index.ts';
import { numberPlaceholders } from './placeholders.ts';

const CLOCK = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms`;

/** What a migration may take, and how long others wait for it. */
const MIGRATION_MS = 60_000;
/** Names the lock that lets one process migrate at a time; the number means nothing. */
const MIGRATION_LOCK = 5_390_417_201;

const beginnings: Readonly<Record<Access, readonly string[]>> = {
  read: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'],
  write: ['BEGIN'],
  migrate: [
    'BEGIN',
    `SET LOCAL statement_timeout = ${MIGRATION_MS}`,
    `SET LOCAL lock_timeout = ${MIGRATION_MS}`,
    `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  ],
};

/** PostgreSQL's classes for "try again": could not serialise, deadlock. Nothing was changed. */
const RETRIED = new Set(['40001', '40P01']);
const MOST_TRIES = 3;

/** A PostgreSQL database through a pool of connections, made as they are needed. */
export function openPostgres(url: string, options: EngineOptions): Database {
  const { statement_ms, connect_ms, connections } = options;
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connect_ms,
    statement_timeout: statement_ms,
    lock_timeout: statement_ms,
    // A process that stands still must not hold its locks for longer than others wait for them.
    idle_in_transaction_session_timeout: Math.ceil(statement_ms / 2),
    // For when the server is silent: its own timeouts come first.
    query_timeout: statement_ms + connect_ms,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'specgate',
    allowExitOnIdle: true,
  });
  // A connection may break while nobody waits for it; whoever uses it next is told.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  const perform = async (name: OperationName, args: unknown): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await performOnce(pool, { name, args, now_ms: options.now_ms?.() });
      } catch (error) {
        const isRetried = RETRIED.has((error as { code?: string }).code ?? '');
        if (!isRetried || attempt === MOST_TRIES) throw toStoreError(error);
      }
    }
  };
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = work
      .catch(() => undefined)
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
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
      await Promise.all(underWay);
      await pool.end();
    },
  };
}

interface Performance {
  readonly name: OperationName;
  readonly args: unknown;
  readonly now_ms: number | undefined;
}

async function performOnce(pool: Pool, { name, args, now_ms }: Performance): Promise<unknown> {
  const { access, run } = operations[name];
  const client = await pool.connect();
  const query = queryOver(client, access === 'migrate' ? MIGRATION_MS : undefined);
  let isCommitting = false;
  let failure: Error | undefined;
  try {
    for (const statement of beginnings[access]) await query(statement);
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
    // Without an answer to COMMIT nobody knows; a server that has answered has done nothing.
    const hasAnswered = error instanceof DatabaseError && error.severity !== 'FATAL';
    if (isCommitting && !hasAnswered && access !== 'read') {
      throw new StoreError((error as Error).message, { isUncertain: true });
    }
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Makes a connection fit for the next operation, or tells why it cannot be. */
async function rollBack(query: Query, cause: Error): Promise<Error | undefined> {
  if (!(cause instanceof DatabaseError) && !(cause instanceof StoreError)) return cause;
  try {
    await query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function queryOver(client: PoolClient, query_timeout: number | undefined): Query {
  return async (sql, values = []) => {
    const config: QueryConfig<Value[]> & { query_timeout?: number } = {
      text: numberPlaceholders(sql),
      values: [...values],
      ...(query_timeout !== undefined && { query_timeout }),
    };
    return (await client.query<Row>(config)).rows;
  };
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // Node tells of several addresses tried by an error without a message of its own.
  const { message, code } = error as Error & { code?: string };
  return new StoreError(`PostgreSQL: ${message === '' ? (code ?? 'not reachable') : message}`);
}
