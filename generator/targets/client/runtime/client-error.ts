import type { ResponseInfo } from './transport.ts';

/** The HTTP statuses that speak of the way to what answers, or of too many requests. */
export const PASSING_STATUSES: readonly unknown[] = [429, 502, 503, 504];

/** The ancestor of every error this package makes. An aborted call rejects with its signal's reason instead. */
export class ClientError extends Error {
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean;
  /** The HTTP response; null where there was none, as over a socket. */
  declare readonly response: ResponseInfo | null;
  /** The HTTP status; null where there was no response. */
  declare readonly status: number | null;

  constructor(message: string, facts: ErrorFacts) {
    super(message);
    const status = facts.response?.status ?? null;
    const retryable = facts.retryable || PASSING_STATUSES.includes(status);
    Object.assign(this, { response: null }, facts, { status, retryable });
  }
}

/** What an error is told beside its message; all of it becomes its own. */
interface ErrorFacts extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly response?: ResponseInfo | null | undefined;
  readonly retryable?: boolean | undefined;
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

  constructor(reason: TransportReason, message: string, trouble?: TransportTrouble) {
    super(message, { name: 'TransportError', reason, ...trouble });
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
