import type { Observe } from './events.ts';
import {
  failure,
  type FailureCause,
  type StreamingOutcome,
  type StreamingUpstream,
  type UpstreamCall,
} from './upstream.ts';

/** `keep`: return the outcome; `forward`: call the partner; `hint`: suggest a plan upgrade. */
export type ForwardingDecision = 'keep' | 'forward' | 'hint';

/** Failures after which the partner may still have an answer. */
const forwardable: ReadonlySet<FailureCause> = new Set([
  'connection',
  'interrupted',
  'timeout',
  'status',
  'malformed',
  'unhealthy',
  'overloaded',
  'none',
]);

/** Failures of the partner that are the outcome of the call. */
const partnerFailures: ReadonlySet<FailureCause> = new Set(['unread', 'aborted']);

/** Decides what follows from the outcome of the network's own upstreams. */
export function decideForwarding(
  outcome: StreamingOutcome,
  { forwarding }: UpstreamCall,
): ForwardingDecision {
  if (outcome.kind !== 'failure' || !forwardable.has(outcome.cause)) return 'keep';
  if (forwarding === undefined) return 'keep';
  return forwarding === 'included' ? 'forward' : 'hint';
}

export interface ForwardingOptions {
  readonly partner: StreamingUpstream;
  readonly observe: Observe;
  readonly monotonic_ms: () => number;
}

/**
 * Forwards to the partner the calls that the network's own upstreams cannot answer. If the partner fails
 * too, the outcome is the network's own failure.
 */
export function withForwarding(
  own: StreamingUpstream,
  { partner, observe, monotonic_ms }: ForwardingOptions,
): StreamingUpstream {
  return async (call, signal) => {
    const started_ms = monotonic_ms();
    const outcome = await own(call, signal);
    const decision = decideForwarding(outcome, call);
    if (decision === 'keep' || outcome.kind !== 'failure') return outcome;
    const { cause, detail } = outcome;
    if (decision === 'hint') return { ...failure('none', `${cause}: ${detail}`), upgrade: true };
    if (call.abandoned?.aborted === true) return outcome;
    const { method, requestId, waited_ms = 0 } = call;
    observe({ kind: 'forward', method, requestId, cause });
    const spent_ms = waited_ms + monotonic_ms() - started_ms;
    const forwarded = await partner({ ...call, waited_ms: spent_ms }, signal);
    return forwarded.kind === 'failure' && !partnerFailures.has(forwarded.cause)
      ? outcome
      : forwarded;
  };
}
