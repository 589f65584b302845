// Runs on its own thread: a checkpoint or another process's lock must not delay calls, and a busy
// event loop must not keep a transaction open.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { IN_MEMORY } from './address.ts';
import { StoreError, toRecord, type Query, type Row, type Transaction } from './database.ts';
import { operations, type OperationName } from './operations/index.ts';
import { OpenedFile } from './sqlite-file.ts';

export interface SqliteRequest {
  readonly id: number;
  /** Null closes the database and ends the thread. */
  readonly name: OperationName | null;
  readonly args: unknown;
  /** Replaces the machine's clock, which is the clock of a SQLite store. */
  readonly now_ms: number | undefined;
}

export type SqliteReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string };

export interface SqliteSettings {
  readonly path: string;
  readonly lock_ms: number;
}

/** Maximum number of cached statements. They differ only in how many rows they insert. */
const MAX_STATEMENTS = 256;
const OPEN_PAUSE_MS = 10;

const settings = workerData as SqliteSettings;
const database = open(settings);
const file = settings.path === IN_MEMORY ? undefined : new OpenedFile(settings.path);
const statements = new Map<string, StatementSync>();

/** SQLite does not wait for a lock if several processes switch a new file to WAL at once. */
function open({ path, lock_ms }: SqliteSettings): DatabaseSync {
  const opened = new DatabaseSync(path, { timeout: lock_ms });
  const deadline_ms = performance.now() + lock_ms;
  for (;;) {
    try {
      opened.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON`);
      return opened;
    } catch (error) {
      const isLocked = error instanceof Error && error.message.includes('locked');
      if (!isLocked || performance.now() > deadline_ms) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS);
    }
  }
}

function prepare(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (statement === undefined) {
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

const query = (async (sql, values = []) =>
  (prepare(sql).all(...values) as Row[]).map(toRecord)) as Query;

async function perform(name: OperationName, { args, now_ms }: SqliteRequest): Promise<unknown> {
  file?.check();
  const { access, run } = operations[name];
  const transaction: Transaction = { query, now_ms: async () => now_ms ?? Date.now() };
  database.exec(access === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  try {
    const result = await run(transaction, args as never);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

async function answer(request: SqliteRequest): Promise<SqliteReply> {
  const { id, name } = request;
  try {
    if (name !== null) return { id, result: await perform(name, request) };
    database.close();
    return { id, result: null };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { id, failure: error instanceof StoreError ? failure : `SQLite: ${failure}` };
  }
}

async function serve(request: SqliteRequest): Promise<void> {
  const reply = await answer(request);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(reply);
  if (request.name === null) parentPort!.close();
}

/** The operations of the one connection run one after the other. */
let queue: Promise<void> = Promise.resolve();

parentPort!.on('message', (request: SqliteRequest) => {
  queue = queue.then(() => serve(request));
});
