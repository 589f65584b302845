import { isForOperator } from '../../src/main/start-error.ts';
import { exitCodes, warn } from './verb.ts';

/** Runs a service and sets the exit code; errors that the operator can fix are printed without a stack. */
export async function runService(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (!isForOperator(error)) throw error;
    for (const line of error.message.split('\n')) warn(`specgate: ${line}`);
    process.exitCode = exitCodes.unusable;
  }
}
