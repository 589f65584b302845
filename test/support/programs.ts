/** Programs that some tests need and no package brings. */
import { spawnSync } from 'node:child_process';

const TIMEOUT_MS = 10_000;

/** Whether a program is on PATH. Where it is not, prints which tests are skipped for it. */
export function hasProgram(name: string, tests: string, flag = '--version'): boolean {
  const { status } = spawnSync(name, [flag], { stdio: 'ignore', timeout: TIMEOUT_MS });
  if (status !== 0) printSkip(tests, `there is no ${name} on PATH`);
  return status === 0;
}

/** Prints that tests are skipped on this machine, and why. */
export function printSkip(tests: string, reason: string): void {
  process.stderr.write(`skipped: ${tests} (${reason})\n`);
}
