import type { StreamingOutcome, StreamingUpstream } from './upstream.ts';
import { failure } from './failure.ts';

export interface QueueLimits {
  readonly in_flight: number;
  readonly queued: number;
}

export interface CallQueue {
  readonly call: StreamingUpstream;
  /** Whether another call would be refused. */
  isFull(): boolean;
}

const OVERLOADED = failure('overloaded', 'too many calls in flight');
const ABORTED = failure('aborted', 'the caller gave up');

/**
 * Lets a bounded number of calls through at a time and holds back a bounded number of others, first
 * come first served; refuses the rest, so that no queue grows behind a slow node. A stream counts
 * until it has ended.
 */
export function withQueue(
  upstream: StreamingUpstream,
  { in_flight, queued }: QueueLimits,
): CallQueue {
  let inFlight = 0;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    inFlight -= 1;
    const [next] = waiting;
    next?.();
  };
  const enter: StreamingUpstream = (call, signal) => {
    inFlight += 1;
    return upstream(call, signal).then((outcome) => {
      if (outcome.kind === 'stream') void outcome.stream.ended.then(leave);
      else leave();
      return outcome;
    });
  };
  const wait: StreamingUpstream = (call, signal) =>
    new Promise<StreamingOutcome>((resolve) => {
      const start = (): void => {
        waiting.delete(start);
        signal.removeEventListener('abort', onAbort);
        resolve(enter(call, signal));
      };
      const onAbort = (): void => {
        waiting.delete(start);
        resolve(ABORTED);
      };
      waiting.add(start);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  return {
    call(call, signal) {
      if (signal.aborted) return Promise.resolve(ABORTED);
      if (inFlight < in_flight) return enter(call, signal);
      return waiting.size < queued ? wait(call, signal) : Promise.resolve(OVERLOADED);
    },
    isFull: () => inFlight >= in_flight && waiting.size >= queued,
  };
}
