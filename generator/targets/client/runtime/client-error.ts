import type { ResponseInfo } from './transport.ts';

/** The ancestor of every error this package makes. An aborted call rejects with its signal's reason instead. */
export class ClientError extends Error {
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean;

  constructor(message: string, facts: object) {
    super(message);
    Object.assign(this, facts);
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
  /** JSON, but no JSON-RPC 2.0 answer to the call made. */
  | 'not_json_rpc'
  /** The answer is larger than the bound set. */
  | 'answer_too_large'
  /** The socket was closed, by either side. */
  | 'closed'
  /** More calls wait than the bound set. */
  | 'too_many_waiting';

/** What is known of a TransportError beside its message. */
export interface TransportTrouble {
  readonly response?: ResponseInfo | null | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * No answer: the network, an intermediary or a bound of this client stood in the way. The message
 * says what, where (scheme, host and port only: a path may hold a key) and what mends it.
 */
export class TransportError extends ClientError {
  declare readonly reason: TransportReason;
  /** The HTTP status, when there was one. */
  declare readonly status: number | null;
  declare readonly response: ResponseInfo | null;

  constructor(reason: TransportReason, message: string, trouble: TransportTrouble = {}) {
    const { response = null } = trouble;
    const facts = { retryable: false, ...trouble, response, status: response && response.status };
    super(message, { name: 'TransportError', reason, ...facts });
  }
}

/** The answer did not come within the call's time. Whether the server acted is unknown. */
export class TimeoutError extends ClientError {
  declare readonly method: string;
  declare readonly timeoutMs: number;

  constructor(method: string, timeoutMs: number) {
    super(`${method} gave no answer in timeoutMs (${timeoutMs})`, {
      name: 'TimeoutError',
      method,
      timeoutMs,
      retryable: true,
    });
  }
}
