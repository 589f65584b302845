import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config/schema.ts';
import type { SettingProblem } from './check-config.ts';

/** Certificate and private key of a network, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** By the names of networks; those without TLS have none. */
export type KeyPairs = Readonly<Record<string, KeyPair>>;

/** Reads the files that networks name for TLS, and tells which of them cannot be used. */
export async function readKeyPairs({
  networks,
}: Config): Promise<{ readonly keyPairs: KeyPairs; readonly problems: SettingProblem[] }> {
  const keyPairs: Record<string, KeyPair> = {};
  const problems: SettingProblem[] = [];
  for (const [index, { name, listen }] of networks.entries()) {
    if (listen.tls === undefined) continue;
    const path = ['networks', index, 'listen', 'tls'];
    const read = async (part: 'cert' | 'key'): Promise<string | undefined> => {
      const file = listen.tls![part];
      try {
        return await readFile(file, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        problems.push({
          path: [...path, part],
          what: `${file} cannot be read (${code}); check path and rights`,
        });
        return undefined;
      }
    };
    const [cert, key] = [await read('cert'), await read('key')];
    if (cert === undefined || key === undefined) continue;
    const fault = faultOf({ cert, key });
    if (fault === undefined) keyPairs[name] = { cert, key };
    else problems.push({ path, what: fault });
  }
  return { keyPairs, problems };
}

function faultOf(pair: KeyPair): string | undefined {
  try {
    createSecureContext(pair);
    return undefined;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return `certificate and key cannot be used together (${code}); give PEM files of one pair`;
  }
}
