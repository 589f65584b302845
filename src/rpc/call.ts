import type { CancelSignal } from '../time/cancellation.ts';
import type { Violation } from '../../common/validators-runtime/violations.js';
import type { RpcError } from '../errors/catalog.ts';
import type { Result } from '../errors/result.ts';
import type { CallTrace, TraceOrigin } from '../tracing/trace.ts';
import type { RpcRequest } from './message.ts';

export type Validate = (value: unknown) => readonly Violation[];

/** When a method was, or will be, deprecated and removed. */
export interface Retirement {
  /** Unix time of the deprecation; undefined when it is not deprecated. */
  readonly deprecated_ms: number | undefined;
  /** Unix time from which it may be removed; undefined when unknown. */
  readonly sunset_ms: number | undefined;
  /** URL of the migration docs. */
  readonly docs: string | undefined;
}

/** A method that can be called. Backends extend it. */
export interface Method {
  readonly name: string;
  readonly validateParams: Validate;
  /** Returns the params to validate and to send, which may differ from those of the caller. */
  readonly prepare?: (params: unknown, rawParams: Buffer) => Buffer;
  /** Undefined while the method is neither deprecated nor scheduled for removal. */
  readonly retirement?: Retirement | undefined;
  /** Parameter names in order, if params may be an object; absent: params are an array. */
  readonly paramNames?: readonly string[];
  /** Whether a batch may call it only once, because its result is large and free. */
  readonly isOncePerBatch?: boolean;
}

/** A call of a known method with valid params. */
export interface Call<M extends Method> {
  readonly method: M;
  /** In the document's order; undefined where a named one is left out. */
  readonly params: readonly unknown[];
  /** Params as the caller wrote them, or as the method's `prepare` returned them. */
  readonly rawParams: Buffer;
  readonly requestId: string;
  /** Whether a large result may be streamed. */
  readonly streams: boolean;
  /** Identifies the batch that the call is part of. */
  readonly batch?: object | undefined;
  /** Absent when calls are not traced. */
  readonly trace?: CallTrace | undefined;
}

/** `caller_limit`: the bytes of the account itself; `total_limit`: those of all accounts together. */
export type ByteLimit = 'caller_limit' | 'total_limit';

export interface CallContext {
  readonly requestId: string;
  /** Aborted when the answer can no longer be delivered; with `SERVER_CLOSED` if the server is the cause. */
  readonly signal: CancelSignal;
  /**
   * Reserves bytes for responses of a batch until all of them are ready. Returns the limit that
   * refuses them; absent: they are not counted.
   */
  readonly reserve?: ((bytes: number) => ByteLimit | undefined) | undefined;
  /**
   * Called between the calls of a batch, since a thousand of them may be answered at once. Resolves
   * when the caller may continue; undefined if that is now. Absent: callers do not take turns.
   */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
  /** Whether a large result of a single call may be streamed. */
  readonly streams?: boolean;
  /** Identifies the batch of the call; set by the core. */
  readonly batch?: object | undefined;
  /** The trace that the caller sent with the request. */
  readonly origin?: TraceOrigin | undefined;
}

/** Abort reason if the server shuts down or closes the connection, rather than the caller. */
export const SERVER_CLOSED = Symbol('closed by the server');

/** A request that waits for its response. */
export interface PendingCall<C> {
  readonly request: RpcRequest;
  readonly caller: C;
  readonly context: CallContext;
  readonly trace?: CallTrace | undefined;
}

/** Credits reserved for a call. Exactly one of the methods is called, once. */
export interface Charge {
  readonly credits: number;
  /** Charges the call: a node answered, whether or not the caller takes the answer. */
  settle(): void;
  /** Returns the credits: there is no answer, or the server cut its delivery. */
  release(): void;
}

/**
 * How the delivery of an answer ended: it is `complete`; the caller disconnected or read too slowly
 * (`caller_left`); or it was `cut` for a reason other than the caller.
 */
export type DeliveryOutcome = 'complete' | 'caller_left' | 'cut';

/**
 * A large result as JSON text in chunks. Can be iterated once, at the reader's pace. Iteration
 * throws when the result ends early.
 */
export interface StreamedResult extends AsyncIterable<Buffer> {
  /** Never rejects. */
  readonly ended: Promise<DeliveryOutcome>;
}

/** Whether a result is whole rather than streamed. */
export function isBytes(value: object): value is Buffer {
  return value instanceof Uint8Array;
}

/**
 * What a backend answers: a result as JSON text (streamed only if the call allows it), or an error.
 * The receiver settles or releases the charge.
 */
export type Outcome = Result<Buffer | StreamedResult> & {
  readonly charge?: Charge | undefined;
  /** The partner that answered instead of the network's own nodes. */
  readonly forwardedTo?: string | undefined;
};

/**
 * Answers calls: the gateway, a mock or a validating proxy. Returns a promise only if it has to wait.
 * `signal` aborts when the answer can no longer be delivered; work in progress may continue.
 */
export type Backend<M extends Method, C> = (
  call: Call<M>,
  caller: C,
  signal: CancelSignal,
) => Promise<Outcome> | Outcome;

/** The response to one call. */
export interface CallResponse {
  /** The response object in chunks; empty for a notification. */
  readonly body: readonly Buffer[];
  /** Replaces `body`: the response object as it arrives. Iteration throws when it ends early. */
  readonly stream?: AsyncIterable<Buffer>;
  readonly credits: number;
  readonly forwardedTo?: string | undefined;
  readonly error?: RpcError | undefined;
  /**
   * Present when the body has a price. Called once, when its delivery ends; the credits stay
   * reserved until then, and are charged unless the delivery was `cut`.
   */
  readonly settle?: (delivery: DeliveryOutcome) => void;
}

/** The answer to a message. */
export interface Answer extends CallResponse {
  /** HTTP status; 204 when there is nothing to answer. */
  readonly status: number;
  /** Retirements of the called methods that are deprecated or scheduled for removal. */
  readonly retirements?: readonly Retirement[] | undefined;
}
