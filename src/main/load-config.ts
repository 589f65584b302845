import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/config-error.ts';
import { describePath, parseConfig } from '../config/read-config.ts';
import type { Config } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { checkConfig, type InvalidSetting } from './check-config.ts';
import { StartError } from './start-error.ts';

/** A configuration with the contents of the files it names. Plain data that workers can be sent. */
export interface LoadedConfig {
  readonly config: Config;
  /** By network name; networks without TLS have none. */
  readonly keyPairs: Readonly<Record<string, KeyPair>>;
}

/** Certificate and private key of a network, in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface ConfigFile {
  readonly loaded: LoadedConfig;
  /** Returns the location of a setting, as `file:line:column`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

/** A configuration file, and the values of its variables. */
export interface ConfigSource {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads and checks a configuration file and the files it names.
 * @throws ConfigError with one line per invalid setting, StartError if the file cannot be read
 */
export async function loadConfig(
  { file, env }: ConfigSource,
  protocol: Pick<Protocol, 'plans' | 'methods'>,
): Promise<ConfigFile> {
  const { config, placeOf } = parseConfig(await readText(file), file, env);
  const { keyPairs, invalid } = await readKeyPairs(config);
  refuseInvalid([...checkConfig(config, protocol), ...invalid], placeOf);
  return { loaded: { config, keyPairs }, placeOf };
}

/** @throws ConfigError if there are any */
export function refuseInvalid(
  settings: readonly InvalidSetting[],
  placeOf: ConfigFile['placeOf'],
): void {
  if (settings.length === 0) return;
  throw new ConfigError(
    settings.map(({ path, what }) => ({
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
    throw new StartError(`cannot read ${file} (${code}); check the path given with --config`);
  }
}

async function readKeyPairs({ networks }: Config): Promise<{
  readonly keyPairs: LoadedConfig['keyPairs'];
  readonly invalid: readonly InvalidSetting[];
}> {
  const keyPairs: Record<string, KeyPair> = {};
  const invalid: InvalidSetting[] = [];
  for (const [index, { name, listen }] of networks.entries()) {
    if (listen.tls === undefined) continue;
    const path = ['networks', index, 'listen', 'tls'];
    const read = async (part: 'cert' | 'key'): Promise<string | undefined> => {
      const file = listen.tls![part];
      try {
        return await readFile(file, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const what = `cannot read ${file} (${code}); check the path and its permissions`;
        invalid.push({ path: [...path, part], what });
        return undefined;
      }
    };
    const [cert, key] = [await read('cert'), await read('key')];
    if (cert === undefined || key === undefined) continue;
    const what = checkKeyPair({ cert, key });
    if (what === undefined) keyPairs[name] = { cert, key };
    else invalid.push({ path, what });
  }
  return { keyPairs, invalid };
}

function checkKeyPair(pair: KeyPair): string | undefined {
  try {
    createSecureContext(pair);
    return undefined;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return `certificate and key do not work together (${code}); use PEM files that belong together`;
  }
}
