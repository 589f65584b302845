import type { Observe } from './events.ts';
import type { StreamingOutcome, StreamingUpstream, UpstreamCall } from './upstream.ts';
import { failure, type Failure, type FailureCause } from './failure.ts';

/** `keep`: the outcome leaves as it is; `hint`: it leaves with word of the upgrade. */
export type ForwardingDecision = 'keep' | 'forward' | 'hint';

/** What the network's own upstreams did not do that a partner may. */
const unanswered: ReadonlySet<FailureCause> = new Set([
  'connection',
  'timeout',
  'status',
  'malformed',
  'unhealthy',
  'overloaded',
  'none',
]);

/** Whether a partner is asked, given how the network's own upstreams ended a call. */
export function decideForwarding(
  outcome: StreamingOutcome,
  { forwarding }: UpstreamCall,
  hasPartner: boolean,
): ForwardingDecision {
  if (outcome.kind !== 'failure' || !unanswered.has(outcome.cause)) return 'keep';
  if (!hasPartner || forwarding === undefined) return 'keep';
  return forwarding === 'included' ? 'forward' : 'hint';
}

export interface ForwardingOptions {
  readonly partner: StreamingUpstream;
  readonly observe: Observe;
}

/**
 * Asks the partner what the network's own upstreams cannot answer, for calls that may be forwarded.
 * What leaves when the partner fails too is the network's own failure.
 */
export function withForwarding(
  own: StreamingUpstream,
  { partner, observe }: ForwardingOptions,
): StreamingUpstream {
  return async (call, signal) => {
    const outcome = await own(call, signal);
    const decision = decideForwarding(outcome, call, true);
    if (decision === 'keep' || outcome.kind !== 'failure') return outcome;
    if (decision === 'hint') return withHint(outcome);
    if (call.abandoned?.aborted === true) return outcome;
    const { method, requestId } = call;
    observe({ kind: 'forward', method, requestId, cause: outcome.cause });
    const forwarded = await partner(call, signal);
    return forwarded.kind === 'failure' && forwarded.cause !== 'aborted' ? outcome : forwarded;
  };
}

/** Whatever went wrong, what matters to the caller is that nobody was there to answer. */
function withHint({ cause, detail }: Failure): StreamingOutcome {
  return { ...failure('none', `${cause}: ${detail}`), upgrade: true };
}
