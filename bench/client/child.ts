/** Starts the modules of this folder that run as processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

export interface Child {
  /** The first line it prints. */
  readonly line: string;
  /** Writes a line to it; gives the next one it prints. */
  ask(line: string): Promise<string>;
  stop(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 120_000;

/** Starts a module and waits for the first line it prints. */
export async function startChild(file: string, ...args: readonly string[]): Promise<Child> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, file), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout! });
  const exited = once(child, 'exit');
  const nextLine = async (): Promise<string> => {
    const next = once(lines, 'line', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    next.catch(() => {});
    const [line] = (await Promise.race([next, exited])) as [unknown];
    if (typeof line !== 'string') throw new Error(`${file} ended before it answered`);
    return line;
  };
  return {
    line: await nextLine(),
    ask: (line) => {
      child.stdin!.write(`${line}\n`);
      return nextLine();
    },
    stop: async () => {
      child.stdin!.end();
      if (child.exitCode === null) await exited;
    },
  };
}
