import { nameOfReason } from './error-name.ts';
import { errorNames, hasReasonNames, retryableCodes } from './facts.ts';
import type { ResponseInfo } from './transport.ts';

/** Base class of this package's errors. An aborted call rejects with its signal's reason instead. */
export class ClientError extends Error {
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean;
  /** The HTTP response; null if there was none, as over a WebSocket. */
  declare readonly response: ResponseInfo | null;
  /** The HTTP status; null without a response. */
  declare readonly status: number | null;

  constructor(message: string, members: ErrorMembers) {
    super(message);
    const status = members.response?.status;
    Object.assign(this, { response: null }, members, {
      status: status ?? null,
      // Rate limits and failures between the client and the server.
      retryable: members.retryable || [429, 502, 503, 504].includes(status as number),
    });
  }
}

interface ErrorMembers extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly response?: ResponseInfo | null | undefined;
  readonly retryable?: boolean | undefined;
}

/** Why a call has no JSON-RPC response. */
export type TransportReason =
  /** The request or connection failed. */
  | 'unreachable'
  /** The HTTP status is not 2xx and the body is not a JSON-RPC response. */
  | 'http_status'
  /** The body or message is not JSON. */
  | 'not_json'
  /** The JSON is not a JSON-RPC 2.0 response to the call. */
  | 'not_json_rpc'
  /** The response is larger than the limit. */
  | 'response_too_large'
  /** The WebSocket was closed, by either side. */
  | 'closed'
  /** Too many calls are waiting. */
  | 'too_many_waiting';

export interface TransportErrorOptions {
  readonly response?: ResponseInfo | null | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * A call without a JSON-RPC response, because of the network, an intermediary or a limit of this
 * client. The message shows scheme, host and port only: the path may hold a key.
 */
export class TransportError extends ClientError {
  declare readonly reason: TransportReason;

  constructor(reason: TransportReason, message: string, options?: TransportErrorOptions) {
    super(message, { name: 'TransportError', reason, ...options });
  }
}

/** A call that timed out. The server may still have processed it. */
export class TimeoutError extends ClientError {
  declare readonly method: string;
  declare readonly timeoutMs: number;

  constructor(method: string, timeoutMs: number) {
    super(`${method} exceeded timeoutMs (${timeoutMs})`, {
      name: 'TimeoutError',
      method,
      timeoutMs,
      retryable: true,
    });
  }
}

/** The `error` member of a JSON-RPC response. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * An error that the server returned. `message` is the server's own. If `data` names a reason, its
 * members are also the error's (`error.resetsAt` is `error.data.resetsAt`). `name` is the name of the
 * document's error class, whether or not a program imports that class.
 */
export class RpcError<
  Code extends number = number,
  Reason extends string | null = string | null,
  Data = unknown,
> extends ClientError {
  declare readonly code: Code;
  /** Distinguishes errors with the same code; null if the server sent none. */
  declare readonly reason: Reason;
  declare readonly data: Data;
  declare readonly method: string;

  constructor({ code, message, data }: WireError, method: string, response: ResponseInfo | null) {
    const named = data as { readonly reason?: unknown } | null | undefined;
    const reason = typeof named?.reason === 'string' ? named.reason : null;
    super(message, {
      name:
        (hasReasonNames ? errorNames[`${code} ${reason ?? message}`] : null) ??
        // The server chooses the reason, which may be very long.
        (reason ? nameOfReason(reason.slice(0, 99)) : (errorNames[code] ?? 'RpcError')),
      code,
      reason,
      data,
      method,
      response,
      retryable: !!reason && retryableCodes[code]?.includes(reason) === false,
    });
    // The server chooses the names in `data`: they must not replace the error's own members.
    if (reason)
      for (const key in named)
        if (!(key in this)) (this as Record<string, unknown>)[key] = named[key as never];
  }

  /** The decoded reason of an executed REVERT, or null, as for a custom error. */
  get revertReason(): string | null {
    // Data other than Error(string) and Panic(uint256) has no reason that a server could decode.
    return typeof this.data === 'string' && /^0x(?!08c379a0|4e487b71|$)/.test(this.data)
      ? null
      : (/^execution reverted: (.+)/s.exec(this.message)?.[1] ?? null);
  }
}

/** The members of `data` that an error with a reason has too. */
export type MembersOf<Data> = {
  [
    Key in keyof Data as string extends Key ? never : Key extends keyof RpcError ? never : Key
  ]: Data[Key];
};

/** An error class of the document, for `error instanceof NotFoundError`. */
export interface ErrorType<Type> {
  readonly prototype: Type;
  [Symbol.hasInstance](error: unknown): error is Type;
}

/** Creates the class of errors with this name and code. Bundlers drop it if it is not imported. */
export function errorType<Type extends RpcError>(name: string, code: number): ErrorType<Type> {
  return class extends RpcError {
    static override [Symbol.hasInstance](error: unknown): boolean {
      return error instanceof RpcError && error.name === name && error.code === code;
    }
  } as unknown as ErrorType<Type>;
}
