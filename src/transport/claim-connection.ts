import type { Duplex } from 'node:stream';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalog.ts';
import { isRpcError, type Site } from './site.ts';

interface Claim {
  readonly accountId: string;
  readonly release: () => void;
}

const claims = new WeakMap<Duplex, Claim>();

/**
 * Counts a connection for the account whose key came over it; returns an error when the account has
 * too many. A connection counts once, until it closes or another account's key comes over it, as
 * over those of a proxy.
 */
export function claimConnection(
  { desk }: Pick<Site, 'desk'>,
  socket: Duplex,
  caller: Caller,
): RpcError | undefined {
  const { accountId } = caller;
  const before = claims.get(socket);
  if (before?.accountId === accountId) return undefined;
  before?.release();
  claims.delete(socket);
  const release = desk.connect(caller);
  if (isRpcError(release)) return release;
  claims.set(socket, { accountId, release });
  if (before === undefined) socket.once('close', () => claims.get(socket)?.release());
  // A socket that has closed emits no further event.
  if (socket.destroyed) release();
  return undefined;
}
