/** Params by position or by name (JSON-RPC 2.0, section 4.2). */
export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A call before its transport assigns an id. */
export interface Call {
  readonly method: string;
  readonly params?: Params | undefined;
  /** True if there is no response (JSON-RPC 2.0, section 4.1). */
  readonly notification?: boolean | undefined;
  /** True if the call changes nothing, so that it can be sent twice. */
  readonly reads?: boolean | undefined;
}

export interface CallContext {
  /** Aborts the call; the transport then rejects with `signal.reason`. */
  readonly signal: AbortSignal;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** The part of the standard `Headers` that is used. */
export interface ResponseHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

/** An HTTP response. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Number of calls in the batch. */
  readonly calls: number;
}

/** A call's result and its HTTP response, which is null over a WebSocket. */
export interface Answer {
  readonly result: unknown;
  readonly response: ResponseInfo | null;
}

/**
 * Sends one call. Rejects with an RpcError if the server returns an error, with a TransportError if
 * there is no response, or with the signal's reason when aborted. Retries, timeouts and validation
 * are functions that wrap a transport and are one.
 */
export interface Transport<Wide = never> {
  (call: Call, context: CallContext): Promise<Answer>;
  /** Closes connections. Calls in flight are rejected. */
  readonly close?: (() => void) | undefined;
  /** The type of integers beyond 2^53. Never set. */
  readonly wide?: Wide;
}

/** The runtime's `JSON`, or `exactJson`. */
export interface JsonCodec<Wide = never> {
  parse(text: string): unknown;
  stringify(value: unknown): string;
  /** The type of integers beyond 2^53. Never set. */
  readonly wide?: Wide;
}

/** Wraps a transport; closing the result closes the transport. */
export function wrapTransport<Wide>(
  { close }: Transport<Wide>,
  outer: (call: Call, context: CallContext) => Promise<Answer>,
): Transport<Wide> {
  return Object.assign(outer, { close });
}
