// esbuild starts its service in the working directory of its first import. Loaded by a command that
// runs in a temporary folder, it could not start once that folder is removed.
import 'esbuild';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runCommandLine } from '../../../bin/command-line.ts';
import type { CommandResult } from '../support/folder.ts';

/**
 * Runs the command line within this process, with the given working directory and standard input, and
 * returns its output and exit code. Only one run at a time.
 */
export async function runSpecgate(
  args: readonly string[],
  { cwd = process.cwd(), input = '' }: { readonly cwd?: string; readonly input?: string } = {},
): Promise<CommandResult> {
  const home = process.cwd();
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const stdout: string[] = [];
  const stderr: string[] = [];
  const capture = (texts: string[]) => (text: unknown) => texts.push(String(text)) > 0;
  const captureLine = (texts: string[]) => (text: unknown) => void texts.push(`${String(text)}\n`);
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(capture(stdout)),
    vi.spyOn(process.stderr, 'write').mockImplementation(capture(stderr)),
    vi.spyOn(console, 'log').mockImplementation(captureLine(stdout)),
    vi.spyOn(console, 'error').mockImplementation(captureLine(stderr)),
  ];
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    configurable: true,
  });
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    await runCommandLine(args);
    const status = Number(process.exitCode ?? 0);
    return { status, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    process.exitCode = undefined;
    process.chdir(home);
    Object.defineProperty(process, 'stdin', stdin);
    for (const spy of spies) spy.mockRestore();
  }
}
