import type { Duplex } from 'node:stream';
import type { Caller } from '../auth/caller.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import { PASSED, type Result } from '../errors/result.ts';
import type { AccountService } from '../gateway/account-service.ts';
import type { Authenticator } from '../gateway/authenticator.ts';
import type { Rpc } from '../rpc/core.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Compression } from './compression.ts';
import type { MessageTurns } from '../time/message-turns.ts';
import type { Route } from './route.ts';
import type { CutCause, UnsentAnswers, UnsentLimits } from './unsent-answers.ts';

export interface TransportLimits extends UnsentLimits {
  readonly request_bytes: number;
  /** How much of a request that is too large is read and discarded before it is answered. */
  readonly discarded_bytes: number;
  readonly http_headers_ms: number;
  readonly http_request_ms: number;
  readonly http_keep_alive_ms: number;
  /** Maximum number of unanswered requests on one connection. */
  readonly http_pipelined: number;
  /** Consecutive requests without a valid key after which their connection is closed. */
  readonly http_refusals: number;
  /** How long a caller may read nothing of its answers. */
  readonly stream_idle_ms: number;
  readonly connections: number;
  /** Maximum number of unanswered calls on one WebSocket. */
  readonly socket_calls_in_flight: number;
  /** Unsent bytes on one WebSocket above which no more of its messages are read. */
  readonly socket_pause_bytes: number;
  readonly socket_heartbeat_ms: number;
}

/**
 * Sender of what takes turns and is not a call, such as documents, refusals and TLS handshakes: most of it
 * needs no key. No account has this id, nor do the probes of nodes (the empty one), which would otherwise
 * wait for all requests of strangers.
 */
export const WITHOUT_KEY = '\0without key';

/** Everything the transports need to serve one network. */
export interface NetworkService {
  readonly readRoute: (target: string) => Route;
  readonly rpc: Rpc<Caller>;
  readonly authenticator: Authenticator;
  readonly accounts: AccountService;
  readonly errors: ErrorCatalog;
  /** The OpenRPC document as JSON text. */
  readonly document: Buffer;
  /** The document's entity tag (RFC 9110, section 8.8.3). */
  readonly documentTag: string;
  /** Compression of HTTP responses; undefined: none. */
  readonly compression: Compression | undefined;
  readonly unsent: UnsentAnswers;
  /** Bytes held for calls in progress. */
  readonly heldBytes: ByteBudget;
  /** Shares the time for WebSocket messages, HTTP requests and TLS handshakes among accounts. */
  readonly turns: MessageTurns;
  readonly nextRequestId: () => string;
  /** Whether new calls are refused. */
  readonly isDraining: () => boolean;
  readonly limits: TransportLimits;
  readonly observer: ServiceObserver;
}

/** Receives the events of the transports. */
export interface ServiceObserver {
  /** A connection was opened (1) or closed (-1). */
  onConnection(transport: 'http' | 'websocket', change: 1 | -1): void;
  /** A request, an upgrade or a WebSocket message was refused as a whole. */
  onRefusal(error: RpcError, requestId: string, caller: Caller | undefined): void;
  /** A connection was cut. */
  onCut(cause: CutCause): void;
  onError(error: unknown, requestId: string): void;
}

/** Holds the service of a network, which may be replaced while connections are open. */
export interface ServiceHolder {
  readonly service: NetworkService;
  /** Returns the current service, and keeps it in use until `release` is called. */
  acquire(): { readonly service: NetworkService; readonly release: () => void };
}

interface Claim {
  readonly accountId: string;
  readonly release: () => void;
}

const claims = new WeakMap<Duplex, Claim>();

/**
 * Counts a connection for the account whose key was sent over it. A connection counts once, until it closes
 * or another account's key is sent over it (as behind a proxy).
 */
export function claimConnection(
  { accounts }: Pick<NetworkService, 'accounts'>,
  socket: Duplex,
  caller: Caller,
): Result<undefined> {
  const { accountId } = caller;
  const previous = claims.get(socket);
  if (previous?.accountId === accountId) return PASSED;
  previous?.release();
  claims.delete(socket);
  const connected = accounts.connect(caller);
  if (!connected.ok) return connected;
  claims.set(socket, { accountId, release: connected.value });
  if (previous === undefined) socket.once('close', () => claims.get(socket)?.release());
  // A socket that has closed emits no further event.
  if (socket.destroyed) connected.value();
  return PASSED;
}
