/** What went wrong, where, and what mends it. */
export interface Trouble {
  readonly what: string;
  /** The server's address without path and query, for they may hold a key. */
  readonly where: string;
  readonly mend: string;
  readonly cause?: unknown;
}

/** The ancestor of every error this package makes. An aborted call rejects with its signal's reason instead. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Why no answer could be had. */
export type TransportReason =
  /** The request or the connection failed. */
  | 'unreachable'
  /** An HTTP status other than 2xx without a JSON-RPC answer in the body. */
  | 'http_status'
  /** The body or message is not JSON. */
  | 'not_json'
  /** JSON, but not the answer of JSON-RPC 2.0 to the call made. */
  | 'not_json_rpc'
  /** The answer is larger than the bound set. */
  | 'answer_too_large'
  /** The socket was closed, by either side. */
  | 'closed'
  /** More calls wait than the bound set. */
  | 'too_many_waiting';

/** No answer: the network, an intermediary or a bound of this client stood in the way. */
export class TransportError extends ClientError {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;
  readonly what: string;
  readonly where: string;
  readonly mend: string;
  /** The HTTP status, when there was one. */
  readonly status: number | null;

  constructor(reason: TransportReason, trouble: Trouble & { readonly status?: number }) {
    super(`${trouble.what} (${trouble.where}): ${trouble.mend}`, trouble.cause);
    this.reason = reason;
    this.what = trouble.what;
    this.where = trouble.where;
    this.mend = trouble.mend;
    this.status = trouble.status ?? null;
  }
}

const MEND = 'raise timeoutMs, or try again later';

/** The answer did not come within the call's time. Whether the server acted is unknown. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError';
  readonly method: string;
  readonly timeoutMs: number;
  readonly mend = MEND;

  constructor(method: string, timeoutMs: number) {
    super(`${method} had no answer within ${timeoutMs} ms: ${MEND}`);
    this.method = method;
    this.timeoutMs = timeoutMs;
  }
}
