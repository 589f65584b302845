import { StoreError } from './database.ts';

/** Where a store is. */
export type StoreAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

/**
 * Reads `postgres://user:password@host:port/database`, `sqlite:PATH` or just a path, of which
 * `:memory:` is one. Throws StoreError for anything else.
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
      throw new StoreError(`there is no store of kind ${scheme}; ${HINT}`);
  }
}

const HINT = 'write sqlite:PATH or postgres://user:password@host:port/database';

function toPath(rest: string): string {
  const path = rest.replace(/^\/\/(?=.)/, '');
  if (path === '') throw new StoreError(`the store has no path; ${HINT}`);
  return path;
}

/** In place of a file: of this process alone, and gone with it. */
export const IN_MEMORY = ':memory:';

export function isInMemory(text: string): boolean {
  const address = readStoreAddress(text);
  return address.engine === 'sqlite' && address.path === IN_MEMORY;
}

/** The address as it may be shown: without a password, wherever one may stand. */
export function describeStore(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/is, '$1:…@')
    .replaceAll(/([?&](?:password|sslpassword)=)[^&]*/gi, '$1…');
}
