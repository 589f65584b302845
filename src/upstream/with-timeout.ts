import { Cancellation } from '../time/cancellation.ts';
import { ABORTED, failure } from './upstream.ts';
import type {
  Failure,
  StreamingOutcome,
  StreamingUpstream,
  TimedUpstream,
  UpstreamCall,
} from './upstream.ts';

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
      const uncanceled: Promise<void>[] = [];
      const cancel = (failed: Failure): void => {
        cancellation.abort();
        end(uncanceled.length === 0 ? failed : { ...failed, uncanceled });
      };
      const onAbort = (): void => cancel(ABORTED);
      const timer = setTimeout(
        () => cancel(failure('timeout', `no response within ${limit_ms} ms`)),
        limit_ms,
      );
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const watched = withListener(call, (ended) => uncanceled.push(ended));
      return void upstream(watched, cancellation).then(end);
    });
}

/** Returns the call, or the batch of calls, so that `onUncanceled` is called for each call, too. */
function withListener(
  call: UpstreamCall,
  onUncanceled: (ended: Promise<void>) => void,
): UpstreamCall {
  for (const each of call.calls ?? []) each.call = withListener(each.call, onUncanceled);
  return {
    ...call,
    onUncanceled(ended) {
      onUncanceled(ended);
      call.onUncanceled?.(ended);
    },
  };
}

/** Applies the same time limit to every call. */
export function withTimeout(upstream: StreamingUpstream, limit_ms: number): StreamingUpstream {
  const timed = withTimeLimit(upstream);
  return (call, signal) => timed(call, signal, limit_ms);
}
