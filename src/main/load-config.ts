import { readFile } from 'node:fs/promises';
import { ConfigError } from '../config/config-error.ts';
import { describePath, parseConfig } from '../config/read-config.ts';
import type { Config } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { readKeyPairs, type KeyPairs } from './certificates.ts';
import { checkConfig } from './check-config.ts';
import { StartError } from './start-error.ts';

/** A configuration with all it takes from the disk; plain data. */
export interface LoadedConfig {
  readonly config: Config;
  readonly keyPairs: KeyPairs;
}

/** A configuration, and where its settings stand in the file: `file:line:column`. */
export interface ReadConfiguration extends LoadedConfig {
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

/** Where a configuration is, and what fills its variables. */
export interface ConfigSource {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads and checks a configuration file and what it names. Throws ConfigError, with a line for each
 * problem, or StartError when the file cannot be read.
 */
export async function loadConfig(
  { file, env }: ConfigSource,
  protocol: Pick<Protocol, 'plans' | 'methods'>,
): Promise<ReadConfiguration> {
  const { config, placeOf } = parseConfig(await readText(file), file, env);
  const { keyPairs, problems } = await readKeyPairs(config);
  problems.unshift(...checkConfig(config, protocol));
  if (problems.length === 0) return { config, keyPairs, placeOf };
  throw new ConfigError(
    problems.map(({ path, what }) => ({
      where: placeOf(path),
      what: `${describePath(path)}: ${what}`,
    })),
  );
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${file} cannot be read (${code}); check the path given with --config`);
  }
}
