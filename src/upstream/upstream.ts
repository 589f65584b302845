import type { NodeError } from '../errors/catalogue.ts';
import type { CallTrace } from '../tracing/trace.ts';
import type { Failure } from './failure.ts';
import type { ResultStream } from './result-stream.ts';

/** A call as a node gets it; `params` is the JSON array, byte for byte. */
export interface UpstreamCall {
  readonly method: string;
  readonly params: Buffer;
  /** Names the request it is made for, in what is told of it; a probe has none. */
  readonly requestId?: string | undefined;
  /** Follows the attempts made for it; absent when nobody does. */
  readonly trace?: CallTrace | undefined;
  /** Of the attempt under way, to be sent along where there are headers. */
  readonly traceparent?: string;
  /**
   * Whether a partner may be asked when the network cannot answer: yes; or not, because the caller's
   * plan does not include it. Absent: the method is not one that is forwarded.
   */
  readonly forwarding?: 'included' | 'upgrade';
  /** Whether a large result may be given as a stream. */
  readonly streams?: boolean;
  /** Whose call it is: upstreams share their slots out among accounts. */
  readonly account?: string;
  /**
   * Fires when no one waits for the answer any more. A call that was not sent is dropped; one that
   * was sent goes on until the node has answered or its time is over, without retries, and a stream
   * of its result is cut.
   */
  readonly abandoned?: AbortSignal;
}

/** Who answered a call. */
export interface Answerer {
  readonly name: string;
  readonly isPartner: boolean;
}

/** A node's answer. A result is JSON text, untouched. */
export type NodeAnswer = (
  | { readonly kind: 'result'; readonly result: Buffer }
  | { readonly kind: 'error'; readonly error: NodeError }
) & {
  readonly by?: Answerer;
  /** How the answer breaks JSON-RPC 2.0, though what it says can be used; absent: it does not. */
  readonly breach?: string;
};

/** How a call to an upstream ended. */
export type UpstreamOutcome = NodeAnswer | Failure;

/** A large result on its way: its first bytes are here, so the call can no longer be retried. */
export interface StreamOutcome {
  readonly kind: 'stream';
  readonly stream: ResultStream;
  readonly by?: Answerer;
}

export type StreamingOutcome = UpstreamOutcome | StreamOutcome;

/** Anything that answers calls; behaviour is added by wrapping. Never rejects. */
export type Upstream = (call: UpstreamCall, signal: AbortSignal) => Promise<UpstreamOutcome>;

/**
 * An upstream that gives large results as streams to calls that ask for it. The signal counts for
 * the stream too, until it has ended. Every `Upstream` is one.
 */
export type StreamingUpstream = (
  call: UpstreamCall,
  signal: AbortSignal,
) => Promise<StreamingOutcome>;

/** The upstream for callers that take results whole only. */
export function wholeResults(upstream: StreamingUpstream): Upstream {
  return async (call, signal) => {
    const outcome = await upstream(
      call.streams === true ? { ...call, streams: false } : call,
      signal,
    );
    if (outcome.kind === 'stream') throw new Error('a stream was given to a call that takes none');
    return outcome;
  };
}
