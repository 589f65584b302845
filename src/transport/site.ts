import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { Rpc } from '../rpc/core.ts';
import type { AccountStanding } from './account-headers.ts';
import type { Route } from './route.ts';
import type { Compression } from './compression/compression.ts';
import type { CutCause, UnsentAnswers, UnsentLimits } from './unsent-answers.ts';

export interface TransportLimits extends UnsentLimits {
  readonly request_bytes: number;
  /** How much of a request that is too large is read and thrown away to answer it in peace. */
  readonly discarded_bytes: number;
  readonly http_headers_ms: number;
  readonly http_request_ms: number;
  readonly http_keep_alive_ms: number;
  /** Requests of one connection that wait for their answers. */
  readonly http_pipelined: number;
  /** Refusals in a row of requests without a valid key, after which their connection is closed. */
  readonly http_refusals: number;
  /** For how long a caller may take nothing of its answers. */
  readonly stream_idle_ms: number;
  readonly connections: number;
  /** Unanswered calls on one WebSocket. */
  readonly socket_calls_in_flight: number;
  /** Unsent bytes on one WebSocket at which no more of its messages are read. */
  readonly socket_pause_bytes: number;
  readonly socket_heartbeat_ms: number;
}

/** Lets callers in by their keys. */
export interface Door {
  /** Who presents `key` with these headers, or why nobody. */
  admit(key: string, headers: IncomingHttpHeaders): Admitted | RpcError;
  /** Whether a text is the key of an account, valid or not. */
  isKey(text: string): boolean;
  /** Who somebody admitted before is now. */
  recheck(admitted: Admitted): Caller | RpcError;
}

export interface Admitted {
  readonly caller: Caller;
  readonly keyHash: string;
  /** The header; undefined outside browsers. */
  readonly origin: string | undefined;
}

/** An account's view of itself. */
export interface AccountDesk {
  /** Takes a call off the account's rate, or refuses it. */
  take(caller: Caller): RpcError | undefined;
  /**
   * Counts a connection of the account until the function returned is called, or refuses it. That
   * function may be called again.
   */
  connect(caller: Caller): (() => void) | RpcError;
  /** Undefined where no account is kept. */
  standing(caller: Caller): AccountStanding | undefined;
  /** Today's use, as JSON text, or why it cannot be told. */
  usage(caller: Caller): Promise<Buffer | RpcError>;
}

/** One network as the transports serve it. */
export interface Site {
  readonly readRoute: (target: string) => Route;
  readonly rpc: Rpc<Caller>;
  readonly door: Door;
  readonly desk: AccountDesk;
  readonly errors: ErrorCatalog;
  /** The OpenRPC document as JSON text. */
  readonly document: Buffer;
  /** Its entity tag (RFC 9110, section 8.8.3). */
  readonly documentTag: string;
  /** Of answers over HTTP; undefined: never. */
  readonly compression: Compression | undefined;
  readonly unsent: UnsentAnswers;
  readonly nextRequestId: () => string;
  /** Whether no new calls are taken. */
  readonly isDraining: () => boolean;
  readonly limits: TransportLimits;
  /** Told of connections opened (1) and closed (-1), and of faults of the transport itself. */
  readonly watcher: SiteWatcher;
}

export interface SiteWatcher {
  onConnection(transport: 'http' | 'websocket', change: 1 | -1): void;
  /** A request, an upgrade or a message of a socket was refused as a whole. */
  onRefusal(error: RpcError, requestId: string, caller: Caller | undefined): void;
  /** A connection was cut for answers it did not take. */
  onCut(cause: CutCause): void;
  onFault(fault: unknown, requestId: string): void;
}

export function isRpcError(value: object): value is RpcError {
  return 'reason' in value && 'status' in value;
}
