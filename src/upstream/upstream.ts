import type { CancelSignal } from '../time/cancellation.ts';
import type { NodeError } from '../errors/node-error.ts';
import type { Senders } from '../time/message-turns.ts';
import type { CallTrace } from '../tracing/trace.ts';

/** A call to a node. `params` is a JSON array, sent byte for byte. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: Buffer;
  /** Id of the request that caused the call, for logs; probes have none. */
  readonly requestId?: string | undefined;
  /** Records the attempts made for this call; absent when tracing is off. */
  readonly trace?: CallTrace | undefined;
  /** The trace context of the current attempt; sent to nodes as a header. */
  readonly traceparent?: string;
  /**
   * Whether the partner may answer when the network cannot: `included` in the caller's plan, or only
   * after an `upgrade`. Absent for methods that are never forwarded.
   */
  readonly forwarding?: 'included' | 'upgrade' | undefined;
  /** Identifies the caller's batch, whose calls may be sent as one; absent outside a batch. */
  readonly batch?: object | undefined;
  /**
   * The calls of one account that this call sends as a batch; its other members are those of the first
   * call.
   */
  readonly calls?: readonly BatchedCall[];
  /** Whether the caller accepts a large result as a stream. */
  readonly streams?: boolean;
  /** Maximum size of the response, if lower than the limit for all responses. */
  readonly response_bytes?: number;
  /** The calling account; nodes share their slots among accounts. */
  readonly account?: string;
  /**
   * The accounts that wait for the answer, the calling one included: others may have sent the same call.
   * Set when the call is sent; accounts join until it is answered.
   */
  waitingAccounts?: ReadonlySet<string>;
  /**
   * Fires when the caller has left. A queued call is dropped; a call that was sent continues to its
   * answer or deadline without retries, unless it waited in vain for others in the same request; a stream of its
   * result is cut.
   */
  readonly abandoned?: CancelSignal | undefined;
  /**
   * Whether the call was already moved once ({@link Failure.isMoved}); it then waits instead of moving
   * again.
   */
  readonly stays?: boolean;
  /** Whether a connection was lost with this call on it ({@link Failure.isSuspect}). */
  readonly isSuspect?: boolean;
  /** How long it has waited for the answer to an identical call, or for other nodes; counts against its deadline. */
  readonly waited_ms?: number;
  /**
   * Called when the call is written to a connection on which it does not wait behind other calls of its
   * account, and again for each further attempt.
   */
  onSent?: () => void;
  /**
   * Called when the response, or the part of it that has arrived, waits for the turn of its readers. The
   * node has responded: this time is not its own.
   */
  readonly onWaiting?: (turn: Promise<void>) => void;
  /** Called when the call is sent with others in one request, whose response comes with the slowest of them. */
  readonly onSentTogether?: () => void;
  /**
   * Called when the call has ended for the gateway, but a node still works on it: a call over a WebSocket, or
   * over HTTP at a limited node, cannot be canceled. `ended` settles when the node has responded, at the end of
   * its connection, or after `late_response_ms` (`call_deadline_ms` at a node that is not limited).
   */
  readonly onUncanceled?: (ended: Promise<void>) => void;
}

/** One of several calls that are sent together. */
export interface BatchedCall {
  call: UpstreamCall;
  /** Undefined if the call has no outcome of its own; the outcome of the whole batch then applies to it. */
  outcome: StreamingOutcome | undefined;
  /** Counts another request to the node for this call; returns a failure if the budget allows none. */
  countRepeat?: () => Failure | undefined;
}

/** The node that answered a call. */
export interface Answerer {
  readonly name: string;
  readonly isPartner: boolean;
}

/** A node's answer. A result is JSON text, byte for byte. */
export type NodeAnswer = (
  | { readonly kind: 'result'; readonly result: Buffer }
  | { readonly kind: 'error'; readonly error: NodeError }
) & {
  readonly by?: Answerer;
  /** How the response violates JSON-RPC 2.0 although it is usable. */
  readonly violation?: string;
};

/**
 * Why no node answered a call. `interrupted`: the gateway closed the connection because of other
 * messages, so the call is retried and does not count against the node; `none`: no healthy upstream is
 * available; `unhealthy`: the node reports that it cannot serve; `aborted`: the caller canceled the
 * call; `unread`: a node responded, but the gateway did not read the response in time, because it first did
 * other work of the account, or not at all, because it held too many bytes for the account. `too_large` and
 * `too_deep` depend on the call and not on the node: they are final and do not count against it.
 */
export type FailureCause =
  | 'connection'
  | 'interrupted'
  | 'timeout'
  | 'status'
  | 'malformed'
  | 'too_large'
  | 'too_deep'
  | 'unhealthy'
  | 'overloaded'
  | 'none'
  | 'unread'
  | 'aborted';

/** The outcome of a call that no node answered. */
export interface Failure {
  readonly kind: 'failure';
  readonly cause: FailureCause;
  /** For logs only, never for callers; contains no secrets. */
  readonly detail: string;
  /** Whether other calls shared the lost connection: any of them may have caused the loss. */
  readonly isShared?: true;
  /**
   * Whether the call can be sent over another connection, where it does not wait behind responses to other
   * accounts.
   */
  readonly isMoved?: true;
  /** Whether the node had the call when the connection was lost: the call may be why, at other nodes too. */
  readonly isSuspect?: true;
  /** Whether the call was not sent, because the connection was closing or not open yet. */
  readonly isUnsent?: true;
  /** Whether the node closed the connection because the call is too large for it. */
  readonly isOversized?: true;
  /** Whether the response may belong to another call. */
  readonly isUncertain?: true;
  /** The size limit that was exceeded, if it is not the limit for responses. */
  readonly limit_bytes?: number;
  /** How long the node asks not to be called (`Retry-After`). */
  readonly cooldown_ms?: number;
  /** Whether the call timed out with others in one request: alone, the node may answer it in time. */
  readonly isBatchTimeout?: true;
  /** Whether the deadline of the call left the node less time than an attempt should have. */
  readonly isCutShort?: boolean;
  /** The calls on which a node still works; see {@link UpstreamCall.onUncanceled}. */
  readonly uncanceled?: readonly Promise<void>[];
  /** Whether the partner would have been called for a plan with forwarding. */
  readonly upgrade?: true;
}

export function failure(cause: FailureCause, detail: string): Failure {
  return { kind: 'failure', cause, detail };
}

export const ABORTED: Failure = failure('aborted', 'the caller canceled the call');

export type UpstreamOutcome = NodeAnswer | Failure;

/** How a stream ended; `bytes` counts what the reader took. */
export type StreamEnd =
  | { readonly kind: 'whole'; readonly bytes: number }
  | {
      readonly kind: 'broken';
      readonly cause: FailureCause;
      readonly detail: string;
      readonly bytes: number;
    };

/**
 * The JSON text of a result in chunks, which can be iterated once. The upstream is read no faster than the
 * reader iterates. Iteration throws StreamBroken when the result ends early; the chunks read so far are
 * then not an answer.
 */
export interface ResultStream extends AsyncIterable<Buffer> {
  /**
   * Settles when the reader has taken the last chunk or has left, or when the stream broke. Never rejects.
   */
  readonly ended: Promise<StreamEnd>;
  /** Once it has ended: settles when the node no longer works on it; absent if that is now. */
  readonly uncanceled?: Promise<void> | undefined;
}

/** A large result whose first bytes have arrived, so the call can no longer be retried. */
export interface StreamOutcome {
  readonly kind: 'stream';
  readonly stream: ResultStream;
  readonly by?: Answerer;
}

export type StreamingOutcome = UpstreamOutcome | StreamOutcome;

/** Answers calls; wrappers of the same type add behavior. Never rejects. */
export type Upstream = (call: UpstreamCall, signal: CancelSignal) => Promise<UpstreamOutcome>;

/** An upstream that can answer with a stream. The signal also cancels the stream. */
export type StreamingUpstream = (
  call: UpstreamCall,
  signal: CancelSignal,
) => Promise<StreamingOutcome>;

/** A streaming upstream with a time limit for each call. */
export type TimedUpstream = (
  call: UpstreamCall,
  signal: CancelSignal,
  limit_ms: number,
) => Promise<StreamingOutcome>;

/** The checks and callbacks that the network gives an upstream when it starts. */
export interface ConnectionGuard {
  /** Returns why the node behind `upstream` is not part of the network, if it is not. Never rejects. */
  verify(upstream: StreamingUpstream): Promise<Failure | undefined>;
  /** Called when the connection becomes ready or is lost, by upstreams that keep one. */
  onReady(isReady: boolean, detail: string): void;
  /** Called for the first message on a connection that answers no call and was dropped. */
  onDropped(detail: string): void;
}

/** An upstream that owns connections. */
export interface OpenUpstream {
  readonly call: StreamingUpstream;
  /** Maximum number of calls in flight; unlimited when absent. */
  readonly slots?: number;
  /**
   * Connects, if the upstream keeps a connection. From then on, a connection carries calls only after its
   * node has been verified. Resolves after the first attempt to connect.
   */
  start(guard: ConnectionGuard): Promise<void>;
  /** Closes the connections; calls in flight fail. */
  close(): Promise<void>;
}

/** Returns whose turn it takes to read the response to a call: no account waits for the messages of another. */
export function readersOf({ account = '', waitingAccounts }: UpstreamCall): Senders {
  return waitingAccounts ?? account;
}

/** Adapts a streaming upstream for callers that take whole results only. */
export function wholeResults(upstream: StreamingUpstream): Upstream {
  return async (call, signal) => {
    const whole = call.streams === true ? { ...call, streams: false } : call;
    const outcome = await upstream(whole, signal);
    if (outcome.kind === 'stream')
      throw new Error('an upstream streamed to a call without streams');
    return outcome;
  };
}
