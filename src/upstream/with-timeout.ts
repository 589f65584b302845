import { failure, type Upstream, type UpstreamOutcome } from './upstream.ts';

/** An upstream that is told anew with each call how long that call may take. */
export type TimedUpstream = (
  call: Parameters<Upstream>[0],
  signal: AbortSignal,
  limit_ms: number,
) => ReturnType<Upstream>;

/** Ends a call in time with a failure of cause `timeout`, giving up the call beneath. */
export function withTimeLimit(upstream: Upstream): TimedUpstream {
  return (call, signal, limit_ms) =>
    new Promise((resolve) => {
      const beneath = new AbortController();
      const end = (outcome: UpstreamOutcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
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
export function withTimeout(upstream: Upstream, limit_ms: number): Upstream {
  const timed = withTimeLimit(upstream);
  return (call, signal) => timed(call, signal, limit_ms);
}
