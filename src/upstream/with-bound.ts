import { failure, type Upstream, type UpstreamOutcome } from './upstream.ts';

const OVERLOADED = failure('overloaded', 'too many calls in flight');

/** Refuses calls beyond `most` in flight, so that no queue grows behind a slow node. */
export function withBound(upstream: Upstream, most: number): Upstream {
  let inFlight = 0;
  const leave = (outcome: UpstreamOutcome): UpstreamOutcome => {
    inFlight -= 1;
    return outcome;
  };
  return (call, signal) => {
    if (inFlight >= most) return Promise.resolve(OVERLOADED);
    inFlight += 1;
    return upstream(call, signal).then(leave);
  };
}
