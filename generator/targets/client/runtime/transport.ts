/**
 * The one function type everything in this package speaks. A transport carries one call and gives
 * the answer; behaviour (time limits, bounds, and what may come) wraps it in a function of the same type.
 */

/** Positional or named parameters of a call (JSON-RPC 2.0, section 4.2). */
export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** One call, before it has an id: ids belong to the transport that puts it on a wire. */
export interface Call {
  readonly method: string;
  readonly params?: Params | undefined;
  /** True when no answer is expected (JSON-RPC 2.0, section 4.1). */
  readonly notification: boolean;
}

/** What travels beside a call. */
export interface CallContext {
  /** Aborts the call; the transport then rejects with `signal.reason`. */
  readonly signal: AbortSignal;
}

/** The `error` member of a JSON-RPC answer. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The part of the standard `Headers` that is read here. */
export interface ResponseHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

/** What an HTTP answer says beside its body. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** A server's answer: a result or an error, and the HTTP response it came in (null on a socket). */
export type Answer = (
  | { readonly result: unknown; readonly error?: never }
  | { readonly error: WireError; readonly result?: never }
) & { readonly response: ResponseInfo | null };

/**
 * Carries one call. Resolves with the server's answer, be it a result or an error; rejects with a
 * TransportError when no answer could be had, or with the signal's reason when aborted.
 */
export interface Transport {
  (call: Call, context: CallContext): Promise<Answer>;
  /** Lets go of what the transport holds open. Calls in flight are rejected. */
  readonly close?: () => void;
}

/** Wraps a transport's behaviour; what it holds open is still closed through the result. */
export function wrapTransport(inner: Transport, outer: Transport): Transport {
  const { close } = inner;
  const wrapped = (call: Call, context: CallContext): Promise<Answer> => outer(call, context);
  return close === undefined ? wrapped : Object.assign(wrapped, { close });
}
