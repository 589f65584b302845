import { StoreError } from './database.ts';

type StoreAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

const EXPECTED = 'expected sqlite:PATH or postgres://user:password@host:port/database';

/** Path of a SQLite store that lives in this process's memory. */
export const IN_MEMORY = ':memory:';

/**
 * Parses `postgres://user:password@host:port/database`, `sqlite:PATH` or a path, which may be
 * `:memory:`. Throws StoreError.
 */
export function readStoreAddress(text: string): StoreAddress {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case 'postgres':
    case 'postgresql':
      return { engine: 'postgres', url: text };
    case 'sqlite':
      return { engine: 'sqlite', path: toPath(rest) };
    case '':
      return { engine: 'sqlite', path: toPath(text) };
    default:
      throw new StoreError(`unknown store type "${scheme}", ${EXPECTED}`);
  }
}

function toPath(text: string): string {
  const path = text.replace(/^\/\/(?=.)/, '');
  if (path === '') throw new StoreError(`the store address has no path, ${EXPECTED}`);
  return path;
}

export function isInMemory(text: string): boolean {
  const address = readStoreAddress(text);
  return address.engine === 'sqlite' && address.path === IN_MEMORY;
}

/** Returns the address with its password replaced by `…`. */
export function describeStore(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/is, '$1:…@')
    .replaceAll(/([?&](?:password|sslpassword)=)[^&]*/gi, '$1…');
}
