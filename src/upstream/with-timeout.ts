import { failure, type Upstream, type UpstreamOutcome } from './upstream.ts';

/** Ends a call after `limit_ms` with a failure of cause `timeout`, giving up the call beneath. */
export function withTimeout(upstream: Upstream, limit_ms: number): Upstream {
  return (call, signal) =>
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
