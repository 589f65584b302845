import type { AttemptEnding } from '../tracing/trace.ts';
import type { Answerer, StreamingOutcome, TimedUpstream } from './upstream.ts';

/** Records the attempts of traced calls and passes the trace context to the node. */
export function withTrace(upstream: TimedUpstream, { name, isPartner }: Answerer): TimedUpstream {
  const traced: TimedUpstream = async (call, signal, limit_ms) => {
    if (call.calls !== undefined) return tracedBatch(call, signal, limit_ms);
    const attempt = call.trace!.startAttempt({ upstream: name, isPartner, method: call.method });
    const { traceparent } = attempt;
    const outcome = await upstream({ ...call, traceparent }, signal, limit_ms);
    if (outcome.kind !== 'stream') attempt.end(endingOf(outcome));
    else {
      void outcome.stream.ended.then((end) =>
        attempt.end(end.kind === 'whole' ? WHOLE : failed(end.cause)),
      );
    }
    return outcome;
  };
  const tracedBatch: TimedUpstream = async (call, signal, limit_ms) => {
    const attempts = call.calls!.map((each) => {
      const { trace, method } = each.call;
      const attempt = trace?.startAttempt({ upstream: name, isPartner, method });
      if (attempt !== undefined) each.call = { ...each.call, traceparent: attempt.traceparent };
      return { attempt, each };
    });
    const outcome = await upstream(call, signal, limit_ms);
    for (const { attempt, each } of attempts) {
      const own = each.outcome ?? outcome;
      if (own.kind !== 'stream') attempt?.end(endingOf(own));
    }
    return outcome;
  };
  return (call, signal, limit_ms) =>
    (call.trace === undefined ? upstream : traced)(call, signal, limit_ms);
}

const WHOLE: AttemptEnding = { outcome: 'stream', code: null, isFailure: false };

function endingOf(outcome: Exclude<StreamingOutcome, { kind: 'stream' }>): AttemptEnding {
  if (outcome.kind === 'failure') return failed(outcome.cause);
  const code = outcome.kind === 'error' ? outcome.error.code : null;
  return { outcome: outcome.kind, code, isFailure: false };
}

function failed(cause: string): AttemptEnding {
  return { outcome: cause, code: null, isFailure: cause !== 'aborted' };
}
