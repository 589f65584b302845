import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const START_MS = 30_000;
const ANSWER_MS = 120_000;
const STOP_MS = 20_000;
const KEPT_ERRORS = 4_000;

/** A process of the benchmark. */
export interface Child {
  /** The first line of its output: for a server, its address. */
  readonly firstLine: string;
  readonly pid: number;
  /** Asks a question that the process answers by `answerParent`. Rejects when the process ends before. */
  ask<T>(name: string, argument?: unknown): Promise<T>;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
  /** Resolves when it has ended, stopped or not. */
  readonly ended: Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Starts `node <args>`; resolves once the process has printed a line, rejects when it ends before. */
export async function startChild(name: string, args: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERRORS);
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`${name} ended:\n${errors}`);
  });
  ended.catch(() => undefined);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  };
  try {
    const lines = createInterface({ input: child.stdout! });
    const line = once(lines, 'line', { signal: AbortSignal.timeout(START_MS) });
    const [firstLine] = (await Promise.race([line, ended])) as [string];
    return {
      firstLine,
      pid: child.pid!,
      ask: createAsk(child, ended),
      stop,
      ended: exited.then(() => undefined),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createAsk(child: ChildProcess, ended: Promise<never>): Child['ask'] {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on('message', ({ id, value, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  return async <T>(name: string, argument?: unknown): Promise<T> => {
    last += 1;
    const id = last;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    const timer = setTimeout(() => answer.reject(new Error(`no answer to ${name}`)), ANSWER_MS);
    child.send({ id, name, argument });
    try {
      return (await Promise.race([answer.promise, ended])) as T;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
}
