import cluster, { type Worker as Process } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { StartError } from '../start-error.ts';
import { TimeoutError, within } from '../../time/within.ts';
import { closeUntakenConnections } from './untaken-connections.ts';
import type { Answers, Order, Reply, Sent } from './messages.ts';

/** A worker process as the primary sees it. */
export interface Worker {
  readonly pid: number;
  /** Rejects with StartError for what the operator can mend, and when the process ends first. */
  ask<Kind extends Order['kind']>(
    order: Extract<Order, { kind: Kind }>,
    limit_ms: number,
  ): Promise<Answers[Kind]>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  kill(): void;
}

const source = import.meta.url.endsWith('.ts') ? './worker-process.ts' : './worker-process.js';

/** Starts a worker process; it serves nothing before it is ordered to. */
export function startWorker(): Worker {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL(source, import.meta.url)),
    args: [],
    serialization: 'advanced',
  });
  const child: Process = cluster.fork();
  closeUntakenConnections(child.process);
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  let isOver = false;
  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true;
      const failure = 'a worker process ended';
      for (const [id, settle] of waiting) settle({ id, failure, isForOperator: false });
      waiting.clear();
      resolve();
    };
    child.on('exit', end);
    child.on('error', end);
  });
  const send = (order: Order): Promise<Reply> =>
    new Promise((resolve) => {
      last += 1;
      const id = last;
      if (isOver) return resolve({ id, failure: 'a worker process ended', isForOperator: false });
      waiting.set(id, resolve);
      const sent: Sent = { id, order };
      child.send(sent, (error) => {
        if (error === null) return;
        waiting.delete(id);
        resolve({ id, failure: error.message, isForOperator: false });
      });
      return undefined;
    });
  return {
    pid: child.process.pid!,
    ended,
    kill: () => child.process.kill('SIGKILL'),
    async ask(order, limit_ms) {
      const reply = await within(limit_ms, send(order)).catch((error: unknown) => {
        if (!(error instanceof TimeoutError)) throw error;
        throw new Error(`a worker process did not answer within ${limit_ms} ms`);
      });
      if ('value' in reply) return reply.value as never;
      throw reply.isForOperator ? new StartError(reply.failure) : new Error(reply.failure);
    },
  };
}
