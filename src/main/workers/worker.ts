import cluster, { type Worker as Process } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { ReadinessReport } from '../../ops/operations.ts';
import { TimeoutError, within } from '../../time/within.ts';
import type { RunningNetwork } from '../addresses.ts';
import type { LoadedConfig } from '../load-config.ts';
import { StartError } from '../start-error.ts';
import { closeUntakenConnections } from './untaken-connections.ts';

/** Commands that the primary process sends to a worker. */
export interface WorkerCommands {
  start(options: StartOptions): Promise<Started>;
  /** Opens a configuration without serving it; `activate` or `discard` follows. */
  prepare(loaded: LoadedConfig): Promise<void>;
  activate(): Promise<void>;
  discard(): Promise<void>;
  /** Writes the plans and accounts of a configuration to the store. */
  seed(loaded: LoadedConfig): Promise<void>;
  report(): Promise<Report>;
  /** Completes accepted calls, then ends the process. */
  stop(): Promise<void>;
}

type CommandName = keyof WorkerCommands;

export interface StartOptions {
  readonly loaded: LoadedConfig;
  /** The configuration file, for error messages. */
  readonly file: string;
  /** Counted from 1, for logs. */
  readonly worker: number;
}

export interface Started {
  readonly networks: readonly RunningNetwork[];
  readonly docs: string | undefined;
}

export interface Report {
  readonly readiness: ReadinessReport;
  readonly metrics: { readonly text: string; readonly contentType: string };
}

export interface CommandMessage {
  readonly id: number;
  readonly name: CommandName;
  readonly args: readonly unknown[];
}

export type Reply = { readonly id: number } & (
  | { readonly value: unknown }
  /** `isForOperator`: the operator can fix the cause, as the message says. */
  | { readonly failure: string; readonly isForOperator: boolean }
);

/** A worker process, as the primary process sees it. */
export interface Worker {
  readonly pid: number;
  /** Rejects if the command fails or the process exits; with StartError if the operator can fix it. */
  send<Name extends CommandName>(
    name: Name,
    timeout_ms: number,
    ...args: Parameters<WorkerCommands[Name]>
  ): ReturnType<WorkerCommands[Name]>;
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>;
  kill(): void;
}

const source = import.meta.url.endsWith('.ts') ? './worker-process.ts' : './worker-process.js';

const EXITED = { failure: 'the worker process exited', isForOperator: false };

/** Starts a worker process, which waits for commands. */
export function startWorker(): Worker {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL(source, import.meta.url)),
    args: [],
    serialization: 'advanced',
  });
  const child: Process = cluster.fork();
  closeUntakenConnections(child.process);
  const pending = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  let hasExited = false;
  child.on('message', (reply: Reply) => {
    pending.get(reply.id)?.(reply);
    pending.delete(reply.id);
  });
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      hasExited = true;
      for (const [id, settle] of pending) settle({ id, ...EXITED });
      pending.clear();
      resolve();
    };
    child.on('exit', end);
    child.on('error', end);
  });
  const send = (name: CommandName, args: readonly unknown[]): Promise<Reply> => {
    lastId += 1;
    const id = lastId;
    if (hasExited) return Promise.resolve({ id, ...EXITED });
    return new Promise((resolve) => {
      pending.set(id, resolve);
      child.send({ id, name, args } satisfies CommandMessage, (error) => {
        if (error === null) return;
        pending.delete(id);
        resolve({ id, failure: error.message, isForOperator: false });
      });
    });
  };
  const perform = async (
    name: CommandName,
    timeout_ms: number,
    args: readonly unknown[],
  ): Promise<unknown> => {
    const reply = await within(timeout_ms, send(name, args)).catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error;
      throw new Error(`no reply from the worker process within ${timeout_ms} ms`);
    });
    if ('value' in reply) return reply.value;
    throw reply.isForOperator ? new StartError(reply.failure) : new Error(reply.failure);
  };
  return {
    pid: child.process.pid!,
    exited,
    kill: () => child.process.kill('SIGKILL'),
    send: (name, timeout_ms, ...args) => perform(name, timeout_ms, args) as never,
  };
}
