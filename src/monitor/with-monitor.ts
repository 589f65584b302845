import type { StreamingOutcome, UpstreamCall } from '../upstream/upstream.ts';
import type { Monitor } from './monitor.ts';

/** Offers the whole results of an upstream to a monitor; those that are streamed pass unseen. */
export function withMonitor<O extends StreamingOutcome>(
  upstream: (call: UpstreamCall, signal: AbortSignal) => Promise<O>,
  monitor: Monitor,
): (call: UpstreamCall, signal: AbortSignal) => Promise<O> {
  return (call, signal) =>
    upstream(call, signal).then((outcome) => {
      if (outcome.kind === 'result') {
        const { result, by } = outcome;
        monitor.offer({ method: call.method, upstream: by?.name ?? '', result });
      }
      return outcome;
    });
}
