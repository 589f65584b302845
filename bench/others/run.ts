import { execFile } from 'node:child_process';

/** So much that a busy machine decides nothing: what is out of memory is told as that. */
const LIMIT_MS = 600_000;

/** What became of a program of Node. */
export interface Ended {
  /** Null when it was ended from outside: out of time or memory. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runNode(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Why a program failed, in short; undefined when it did not. */
export function failureOf({ code, stderr, stdout }: Ended): string | undefined {
  if (code === 0) return undefined;
  if (/heap out of memory/.test(stderr)) return 'out of memory';
  const told = `${stderr}\n${stdout}`;
  // Not a fault of the program where this machine has no network.
  if (/url was not resolvable/.test(told)) return 'needs the network';
  const line = told.split('\n').find((each) => /error/i.test(each)) ?? '';
  return code === null ? 'no end' : `fails: ${line.trim().slice(0, 60)}`;
}
