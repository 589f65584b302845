import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

export interface Options {
  readonly json: boolean;
  /** For the whole measurement. */
  readonly seconds: number;
}

export class UsageError extends Error {}

type More<Config extends ParseArgsOptionsConfig> = {
  readonly [Name in keyof Config]?: Config[Name] extends { type: 'string' } ? string : boolean;
};

/** Reads `--json`, `--seconds N` and the options that one benchmark has more. */
export function readOptions<const Config extends ParseArgsOptionsConfig>(
  { min, preset }: { min: number; preset: number },
  more = {} as Config,
): Options & More<Config> {
  const { json = false, seconds = preset, ...others } = parse(more);
  const count = Number(seconds);
  if (!(count >= min && count <= 600)) throw new UsageError(`--seconds must be ${min} to 600`);
  return { ...(others as More<Config>), json: json as boolean, seconds: count };
}

function parse(more: ParseArgsOptionsConfig): Record<string, unknown> {
  try {
    const options = { json: { type: 'boolean' }, seconds: { type: 'string' }, ...more } as const;
    return parseArgs({ options }).values;
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
