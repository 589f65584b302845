import { ClientError } from './client-error.ts';
import type { ResponseInfo } from './transport.ts';

/** What an RpcError is made of: the wire's error, and what the document says of it. */
export interface RpcErrorInit {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly reason: string | null;
  readonly method: string;
  readonly response: ResponseInfo | null;
  readonly retryable: boolean | null;
  readonly charged: boolean | null;
  readonly mend: string | null;
}

/**
 * The server answered with an error. `message` is the server's own, so that what others read from
 * it stays readable. A code the document does not know comes as this class itself.
 */
export class RpcError<
  Code extends number = number,
  Reason extends string | null = string | null,
  Data = unknown,
> extends ClientError {
  override readonly name: string = 'RpcError';
  readonly code: Code;
  /** Tells apart the errors that share a code; null when the answer and the document give none. */
  readonly reason: Reason;
  readonly data: Data;
  readonly method: string;
  /** The HTTP response; null over a socket. */
  readonly response: ResponseInfo | null;
  /** Whether the same call may succeed later; null when the document does not say. */
  readonly retryable: boolean | null;
  /** Whether the call was charged; null when the document does not say. */
  readonly charged: boolean | null;
  /** What the caller can do about it, as the document says. */
  readonly mend: string | null;

  constructor(init: RpcErrorInit) {
    super(init.message);
    // The catalogue picks the class by code and reason, and data's shape is the server's promise.
    this.code = init.code as Code;
    this.reason = init.reason as Reason;
    this.data = init.data as Data;
    this.method = init.method;
    this.response = init.response;
    this.retryable = init.retryable;
    this.charged = init.charged;
    this.mend = init.mend;
  }
}
