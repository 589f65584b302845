import { Cancellation } from '../time/cancellation.ts';
import { ABORTED, failure } from './upstream.ts';
import type { StreamingOutcome, StreamingUpstream, TimedUpstream } from './upstream.ts';

/**
 * Ends each call that exceeds its limit with a failure of cause `timeout` and cancels it upstream. Only the
 * first bytes of a stream have to arrive within the limit; afterwards its own limits apply.
 */
export function withTimeLimit(upstream: StreamingUpstream): TimedUpstream {
  return (call, signal, limit_ms) =>
    new Promise((resolve) => {
      const cancellation = new Cancellation();
      const stopListening = (): void => signal.removeEventListener('abort', onAbort);
      const end = (outcome: StreamingOutcome): void => {
        clearTimeout(timer);
        if (outcome.kind === 'stream') void outcome.stream.ended.then(stopListening);
        else stopListening();
        resolve(outcome);
      };
      const cancel = (outcome: StreamingOutcome): void => {
        end(outcome);
        cancellation.abort();
      };
      const onAbort = (): void => cancel(ABORTED);
      const timer = setTimeout(
        () => cancel(failure('timeout', `no response within ${limit_ms} ms`)),
        limit_ms,
      );
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      return void upstream(call, cancellation).then(end);
    });
}

/** Applies the same time limit to every call. */
export function withTimeout(upstream: StreamingUpstream, limit_ms: number): StreamingUpstream {
  const timed = withTimeLimit(upstream);
  return (call, signal) => timed(call, signal, limit_ms);
}
