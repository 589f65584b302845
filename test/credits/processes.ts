import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../store/support.ts';
import {
  costs,
  type LedgerAnswer,
  type LedgerOrder,
  type LedgerProcessOptions,
  type MethodLetter,
} from '../support/ledger-process.ts';

const script = fileURLToPath(new URL('../support/ledger-process.ts', import.meta.url));
const STEP_MS = 60_000;

export interface LedgerProcess {
  call(order: Omit<Extract<LedgerOrder, { order: 'call' }>, 'order'>): Promise<LedgerAnswer>;
  /** Returns its leases and ends. */
  /** Stops the instance, which has to end with one of these exit codes. */
  stop(expected?: readonly number[]): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** What it has served, by method, whether it still runs or not. */
  served(): Promise<Record<MethodLetter, number>>;
}

/** Starts an instance of its own process; ended with the test if not before. */
export async function startLedgerProcess(
  options: Omit<LedgerProcessOptions, 'servedFile'>,
): Promise<LedgerProcess> {
  const servedFile = join(await temporaryFolder(), 'served');
  const child = fork(script, [JSON.stringify({ ...options, servedFile })], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    if (child.exitCode === null) child.kill('SIGKILL');
  });
  const ended = once(child, 'exit').then(() => undefined);
  const hear = async (): Promise<unknown> => {
    const signal = AbortSignal.timeout(STEP_MS);
    const message = once(child, 'message', { signal }).then(([first]: unknown[]) => first);
    message.catch(() => {});
    return Promise.race([message, ended]);
  };
  const order = async (what: LedgerOrder): Promise<LedgerAnswer> => {
    const answer = hear();
    child.send(what);
    return ((await answer) ?? { served: 0, failed: 0, refused: {}, operations: 0 }) as LedgerAnswer;
  };
  await hear();
  return {
    call: (calls) => order({ order: 'call', ...calls }),
    async stop(expected = [0]) {
      const gone = once(child, 'exit', { signal: AbortSignal.timeout(STEP_MS) });
      await order({ order: 'stop' });
      const [code] = (await gone) as [number | null];
      if (code === null || !expected.includes(code))
        throw new Error(`the process ended with ${code}`);
    },
    signal: (signal) => void child.kill(signal),
    async served() {
      const letters = await readFile(servedFile, 'utf8');
      const count = (letter: MethodLetter): number => letters.split(letter).length - 1;
      return { a: count('a'), b: count('b') };
    },
  };
}

export function creditsOf(served: readonly Record<MethodLetter, number>[]): number {
  return served.reduce((sum, { a, b }) => sum + a * costs.a + b * costs.b, 0);
}

export function addServed(
  served: readonly Record<MethodLetter, number>[],
): Record<MethodLetter, number> {
  return served.reduce((sum, { a, b }) => ({ a: sum.a + a, b: sum.b + b }), { a: 0, b: 0 });
}
