/** Starts the modules of this folder that run as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

export interface Child {
  /** The first line it prints. */
  readonly line: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Starts a module and waits for the first line it prints. */
export async function startChild(file: string, ...args: readonly string[]): Promise<Child> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, file), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout! });
  const exited = once(child, 'exit');
  const first = once(lines, 'line', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  const [line] = (await Promise.race([first, exited])) as [unknown];
  first.catch(() => {});
  if (typeof line !== 'string') throw new Error(`${file} ended before it printed anything`);
  return {
    line,
    stop: async () => {
      child.stdin!.end();
      if (child.exitCode === null) await exited;
    },
  };
}
