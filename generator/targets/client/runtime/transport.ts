/**
 * The one function type everything in this package speaks. A transport carries one call and gives
 * its result; behaviour (retries, time limits, validation) is a function that wraps one and is one.
 */

/** Positional or named parameters of a call (JSON-RPC 2.0, section 4.2). */
export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/** One call, before it has an id: ids belong to the transport that puts it on a wire. */
export interface Call {
  readonly method: string;
  readonly params?: Params | undefined;
  /** True when no answer is expected (JSON-RPC 2.0, section 4.1). */
  readonly notification?: boolean | undefined;
  /** True when the call changes nothing, so that it may be sent twice. */
  readonly reads?: boolean | undefined;
}

/** What travels beside a call. */
export interface CallContext {
  /** Aborts the call; the transport then rejects with `signal.reason`. */
  readonly signal: AbortSignal;
  /** 1 for the first time a call is sent. */
  readonly attempt: number;
}

/** The part of the standard `Headers` that is read here. */
export interface ResponseHeaders {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

/** The HTTP response an answer came in. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** How many calls it answers: its headers speak of all of them. */
  readonly calls: number;
}

/** A call's result, and the HTTP response it came in (null on a socket). */
export interface Answer {
  readonly result: unknown;
  readonly response: ResponseInfo | null;
}

/**
 * Carries one call. Rejects with an RpcError when the server answered with an error, with a
 * TransportError when no answer could be had, or with the signal's reason when aborted.
 */
export interface Transport<Wide = never> {
  (call: Call, context: CallContext): Promise<Answer>;
  /** Lets go of what the transport holds open. Calls in flight are rejected. */
  readonly close?: (() => void) | undefined;
  /** What integers beyond 2^53 come as (a type only, never there). */
  readonly wide?: Wide;
}

/** What writes and reads JSON: the runtime's own `JSON`, or `exactJson`. */
export interface JsonCodec<Wide = never> {
  parse(text: string): unknown;
  stringify(value: unknown): string;
  /** What integers beyond 2^53 are read as (a type only, never there). */
  readonly wide?: Wide;
}

/** Wraps a transport's behaviour; what it holds open is still closed through the result. */
export function wrapTransport<Wide>(
  { close }: Transport<Wide>,
  outer: (call: Call, context: CallContext) => Promise<Answer>,
): Transport<Wide> {
  return Object.assign(outer, { close });
}
