import { parseArgs } from 'node:util';

export interface Options {
  readonly json: boolean;
  /** For the whole measurement. */
  readonly seconds: number;
}

class UsageError extends Error {}

/** Reads `--json` and `--seconds N` from the command line. */
export function readOptions({ min, preset }: { min: number; preset: number }): Options {
  const { json, seconds } = parse(String(preset));
  if (!(seconds >= min && seconds <= 600)) {
    throw new UsageError(`--seconds must be ${min} to 600`);
  }
  return { json, seconds };
}

function parse(preset: string): Options {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        seconds: { type: 'string', default: preset },
      },
    });
    return { json: values.json, seconds: Number(values.seconds) };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs a benchmark; prints an error, with the usage when the arguments are wrong. */
export async function runBenchmark(usage: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(`bench: ${(error as Error).message}${isUsage ? `\n\n${usage}` : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}
