import type { StreamingOutcome, UpstreamCall } from '../upstream/upstream.ts';
import type { Monitor } from './monitor.ts';

/** Offers the whole results of an upstream to a monitor; tells it of those that are streamed. */
export function withMonitor<O extends StreamingOutcome>(
  upstream: (call: UpstreamCall, signal: AbortSignal) => Promise<O>,
  monitor: Monitor,
): (call: UpstreamCall, signal: AbortSignal) => Promise<O> {
  return (call, signal) =>
    upstream(call, signal).then((outcome) => {
      if (outcome.kind === 'error' || outcome.kind === 'failure') return outcome;
      const from = { method: call.method, upstream: outcome.by?.name ?? '' };
      if (outcome.kind === 'result') monitor.offer({ ...from, result: outcome.result });
      else monitor.pass(from);
      return outcome;
    });
}
