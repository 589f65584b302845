import type { StreamingOutcome, StreamingUpstream } from './upstream.ts';
import { failure } from './failure.ts';

/** An upstream that is told anew with each call how long that call may take. */
export type TimedUpstream = (
  call: Parameters<StreamingUpstream>[0],
  signal: AbortSignal,
  limit_ms: number,
) => Promise<StreamingOutcome>;

/**
 * Ends a call in time with a failure of cause `timeout`, giving up the call beneath. A stream has
 * come in time when its first bytes have; from then on it keeps to limits of its own.
 */
export function withTimeLimit(upstream: StreamingUpstream): TimedUpstream {
  return (call, signal, limit_ms) =>
    new Promise((resolve) => {
      const beneath = new AbortController();
      const release = (): void => signal.removeEventListener('abort', onAbort);
      const end = (outcome: StreamingOutcome): void => {
        clearTimeout(timer);
        if (outcome.kind === 'stream') void outcome.stream.ended.then(release);
        else release();
        resolve(outcome);
      };
      const onAbort = (): void => {
        end(failure('aborted', 'the caller gave up'));
        beneath.abort();
      };
      const timer = setTimeout(() => {
        end(failure('timeout', `no answer within ${limit_ms} ms`));
        beneath.abort();
      }, limit_ms);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      return void upstream(call, beneath.signal).then(end);
    });
}

/** The same limit for every call. */
export function withTimeout(upstream: StreamingUpstream, limit_ms: number): StreamingUpstream {
  const timed = withTimeLimit(upstream);
  return (call, signal) => timed(call, signal, limit_ms);
}
