import { InvalidArgumentError, Option } from 'commander';
import { isForOperator } from '../../src/main/start-error.ts';
import { exitCodes } from './verb.ts';

/** Runs a service and sets the exit code; errors that the operator can fix are printed without a stack. */
export async function runService(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (!isForOperator(error)) throw error;
    for (const line of error.message.split('\n')) console.error(`specgate: ${line}`);
    process.exitCode = exitCodes.unusable;
  }
}

/** Returns a parser of whole numbers within a range, for commander. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

const MAX_PORT = 65_535;

/** Returns the options for the address of a local service. */
export function addressOptions(port: number): readonly Option[] {
  return [
    new Option('-p, --port <n>', 'port to listen on; 0 picks a free port')
      .argParser(wholeNumber(0, MAX_PORT))
      .default(port),
    new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  ];
}
