import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { within } from '../time/within.ts';
import { IN_MEMORY } from './address.ts';
import { StoreError, type EngineOptions } from './database.ts';
import type { Database, OperationName, ResultOf } from './operations/index.ts';
import { createFolder } from './sqlite-file.ts';
import type { SqliteReply, SqliteRequest, SqliteSettings } from './sqlite-worker.ts';

interface PendingOperation {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * Opens a SQLite file on its own thread, and creates it with its folder if missing. If the thread
 * ends, the next operation starts another.
 */
export function openSqlite(path: string, options: EngineOptions): Database {
  const pending = new Map<number, PendingOperation>();
  let lastId = 0;
  let worker: Worker | undefined;
  let isClosed = false;

  const fail = (from: Worker, detail: string): void => {
    if (worker !== from) return;
    worker = undefined;
    const error = new StoreError(detail, { isUncertain: true });
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  const start = (): Worker => {
    if (path !== IN_MEMORY) createFolder(dirname(path));
    const started = startWorker({ path, lock_ms: options.statement_ms });
    started.on('message', (reply: SqliteReply) => {
      const operation = pending.get(reply.id);
      pending.delete(reply.id);
      if ('result' in reply) operation?.resolve(reply.result);
      else operation?.reject(new StoreError(reply.failure));
    });
    started.on('error', (error: Error) => fail(started, error.message));
    started.on('exit', () => fail(started, 'the store is closed'));
    return started;
  };
  const send = (name: OperationName | null, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new StoreError('the store is closed');
      if (pending.size >= options.waiting) throw new StoreError('the store is overloaded');
      worker ??= start();
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      const request: SqliteRequest = { id: lastId, name, args, now_ms: options.now_ms?.() };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(request);
    });

  return {
    perform: (name, args) => send(name, args) as Promise<ResultOf<typeof name>>,
    async close() {
      if (isClosed) return;
      const closing = worker;
      const closed = closing === undefined ? undefined : send(null, null);
      isClosed = true;
      // A thread that waits for a lock does not end before the lock's timeout.
      await within(2 * options.statement_ms, Promise.resolve(closed)).catch(() => undefined);
      await closing?.terminate();
    },
  };
}

function startWorker(settings: SqliteSettings): Worker {
  const source = import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js';
  // Closing its descriptors with the thread would release the locks of other threads on the file.
  const trackUnmanagedFds = false;
  return new Worker(new URL(source, import.meta.url), { workerData: settings, trackUnmanagedFds });
}
