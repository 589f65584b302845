// Runs on a thread of its own: a checkpoint or a lock held by another process must not stall calls.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Row, Value } from './database.ts';

export interface SqliteRequest {
  readonly id: number;
  /** Null closes the database and ends the thread. */
  readonly sql: string | null;
  readonly values: readonly Value[];
}

export type SqliteReply =
  | { readonly id: number; readonly rows: readonly Row[] }
  | { readonly id: number; readonly failure: string };

/** Statements differ only in how many rows they insert; beyond this the cache starts anew. */
const MOST_STATEMENTS = 256;

const database = new DatabaseSync(workerData as string);
database.exec(`PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON`);

const statements = new Map<string, StatementSync>();

function prepare(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (statement === undefined) {
    if (statements.size >= MOST_STATEMENTS) statements.clear();
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

function perform({ id, sql, values }: SqliteRequest): SqliteReply {
  try {
    if (sql !== null) return { id, rows: prepare(sql).all(...values) as unknown as Row[] };
    database.close();
    return { id, rows: [] };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort!.on('message', (request: SqliteRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(perform(request));
  if (request.sql === null) parentPort!.close();
});
