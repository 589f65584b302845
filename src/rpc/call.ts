import type { Violation } from '../../common/validators-runtime/violations.js';
import type { RpcError } from '../errors/catalog.ts';
import type { CallTrace } from '../tracing/trace.ts';

export type Validate = (value: unknown) => readonly Violation[];

/** When a method was, or will be, deprecated and withdrawn. */
export interface Retirement {
  /** Unix time since when it is deprecated; undefined: it is not. */
  readonly deprecated_ms: number | undefined;
  /** Unix time from which it may be gone; undefined: not known. */
  readonly sunset_ms: number | undefined;
  /** Where its callers read what to do. */
  readonly docs: string | undefined;
}

/** A method that can be called; a backend's table may hold more about each. */
export interface Method {
  readonly name: string;
  readonly validateParams: Validate;
  /** Absent while it stays. */
  readonly retirement?: Retirement | undefined;
  /** In their order, where params may be an object of them; absent: params are an array. */
  readonly paramNames?: readonly string[];
  /** Whether a batch may call it only once, since its answer is large and free. */
  readonly isOncePerBatch?: boolean;
}

/** A call whose method exists and whose params the method's validator has passed. */
export interface Call<M extends Method> {
  readonly method: M;
  /** In the document's order; undefined where one that was named is left out. */
  readonly params: readonly unknown[];
  /** Params as the caller wrote them. */
  readonly rawParams: Buffer;
  readonly requestId: string;
  /** Whether a large result may be given as a stream. */
  readonly streams: boolean;
  /** Absent when nobody follows calls. */
  readonly trace?: CallTrace | undefined;
}

/** Credits set aside for a call. Exactly one of the two is called, once. */
export interface Charge {
  readonly credits: number;
  /** The caller gets a node's answer, or does not take it: the call is paid for. */
  settle(): void;
  /** The caller gets none, or it is cut off by us: nothing is paid. */
  release(): void;
}

/**
 * What became of a streamed result: its reader has `all` of it; the reader `left`, or was too slow,
 * while there was more; or the rest was `lost`, through no fault of the reader's.
 */
export type StreamFate = 'all' | 'left' | 'lost';

/**
 * A large result on its way: JSON text in chunks, to be iterated once, no faster than it is taken.
 * Iteration throws when the rest will not come.
 */
export interface StreamedResult extends AsyncIterable<Buffer> {
  /** Never rejects. */
  readonly fate: Promise<StreamFate>;
}

/** How a call ended, or began to; whoever receives it settles or releases the charge. */
export type Outcome = (
  | {
      /** The result as JSON text; passed on as it is. */
      readonly result: Buffer;
    }
  | { readonly error: RpcError }
  | {
      /** Only for a call that takes streams. */
      readonly stream: StreamedResult;
    }
) & {
  readonly charge?: Charge;
  /** The partner that answered in place of the network's own nodes. */
  readonly forwardedTo?: string;
};

/**
 * Answers calls: the gateway, a mock, a validating proxy. `signal` fires when no one waits for the
 * answer any more; what was begun may go on.
 */
export type Backend<M extends Method, C> = (
  call: Call<M>,
  caller: C,
  signal: AbortSignal,
) => Promise<Outcome>;
