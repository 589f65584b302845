import {
  failure,
  type StreamingOutcome,
  type StreamingUpstream,
  type UpstreamCall,
} from '../upstream.ts';

/** How long a size counts as too large; the node may get a new configuration. */
const REMEMBERED_MS = 600_000;

/**
 * A node with a lower limit would be useless. If all calls in flight are this small, the one that was too large has
 * ended before the connection was closed.
 */
const MIN_LIMIT_BYTES = 16_384;

/**
 * Part of a size that was too large from which calls are not sent, unless the node has answered a larger one: the
 * limit is found after few lost connections.
 */
const MARGIN = 3 / 4;

const TOO_LARGE = {
  ...failure('status', 'the request is too large for the node'),
  isShared: true,
} as const;

/**
 * Does not send calls that are too large for a node: it would close the connection (RFC 6455, section 7.4.1, code
 * 1009), and the calls of other accounts would be lost with it.
 */
export function withRequestSize(
  upstream: StreamingUpstream,
  monotonic_ms: () => number,
): StreamingUpstream {
  let answered_bytes = 0;
  let limit_bytes = Infinity;
  let until_ms = 0;
  const isTooLarge = ({ params }: UpstreamCall): boolean => {
    if (params.length < limit_bytes) return false;
    if (monotonic_ms() < until_ms) return true;
    limit_bytes = Infinity;
    return false;
  };
  const learn = ({ params: { length } }: UpstreamCall, outcome: StreamingOutcome): void => {
    if (outcome.kind !== 'failure') answered_bytes = Math.max(answered_bytes, length);
    else if (outcome.isOversized === true && length * MARGIN >= MIN_LIMIT_BYTES) {
      if (answered_bytes >= length) answered_bytes = 0;
      limit_bytes = Math.max(answered_bytes + 1, length * MARGIN);
      until_ms = monotonic_ms() + REMEMBERED_MS;
    }
  };
  return async (call, signal) => {
    if (call.calls === undefined) {
      if (isTooLarge(call)) return TOO_LARGE;
      const outcome = await upstream(call, signal);
      learn(call, outcome);
      return outcome;
    }
    const calls = call.calls.filter((each) => {
      if (isTooLarge(each.call)) each.outcome = TOO_LARGE;
      return each.outcome === undefined;
    });
    if (calls.length === 0) return TOO_LARGE;
    const outcome = await upstream({ ...call, calls }, signal);
    for (const each of calls) learn(each.call, each.outcome ?? outcome);
    return outcome;
  };
}
