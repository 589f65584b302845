import { Worker } from 'node:worker_threads';
import { StoreError, type Database, type Query, type Row, type Value } from './database.ts';
import type { SqliteReply, SqliteRequest } from './sqlite-worker.ts';

/** Statements waiting for an answer at one time. */
const MOST_WAITING = 10_000;

interface Waiting {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * A SQLite file (WAL) on a thread of its own. One connection, so statements run one after the
 * other; a transaction holds back the others until it ends. `path` may be `:memory:`.
 */
export function openSqlite(path: string): Database {
  const source = import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js';
  const worker = new Worker(new URL(source, import.meta.url), { workerData: path });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let failure: StoreError | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const fail = (error: StoreError): void => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on('message', (reply: SqliteReply) => {
    const waiter = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('rows' in reply) waiter?.resolve(reply.rows);
    else waiter?.reject(new StoreError(reply.failure));
  });
  worker.on('error', (error: Error) => fail(new StoreError(error.message)));
  worker.on('exit', () => fail(new StoreError('the store is closed')));

  const send = (sql: string | null, values: readonly Value[]): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      if (waiting.size >= MOST_WAITING) return reject(new StoreError('the store is overloaded'));
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      return worker.postMessage({ id: lastId, sql, values } satisfies SqliteRequest);
    });
  const run: Query = (sql, values = []) => send(sql, values);
  /** Takes the connection for `work` once all that asked before have given it back. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  return {
    query: (sql, values) => inTurn(() => run(sql, values)),
    transaction: (work) =>
      inTurn(async () => {
        await run('BEGIN IMMEDIATE');
        try {
          const result = await work(run);
          await run('COMMIT');
          return result;
        } catch (error) {
          await run('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }),
    async close() {
      await inTurn(() => send(null, []));
      await worker.terminate();
    },
  };
}
