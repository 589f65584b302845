import type { AttemptEnding } from '../tracing/trace.ts';
import type { Answerer, StreamingOutcome } from './upstream.ts';
import type { TimedUpstream } from './with-timeout.ts';

/** Follows the attempts of calls that are followed, and tells the upstream whose part they are. */
export function withTrace(upstream: TimedUpstream, { name, isPartner }: Answerer): TimedUpstream {
  return (call, signal, limit_ms) => {
    const { trace, method } = call;
    if (trace === undefined) return upstream(call, signal, limit_ms);
    const attempt = trace.startAttempt({ upstream: name, isPartner, method });
    const followed = { ...call, traceparent: attempt.traceparent };
    return upstream(followed, signal, limit_ms).then((outcome) => {
      if (outcome.kind !== 'stream') attempt.end(endingOf(outcome));
      else
        void outcome.stream.ended.then((end) =>
          attempt.end(end.kind === 'whole' ? WHOLE : failed(end.cause)),
        );
      return outcome;
    });
  };
}

const WHOLE: AttemptEnding = { outcome: 'stream', code: null, isFault: false };

function endingOf(outcome: Exclude<StreamingOutcome, { kind: 'stream' }>): AttemptEnding {
  if (outcome.kind === 'failure') return failed(outcome.cause);
  const code = outcome.kind === 'error' ? outcome.error.code : null;
  return { outcome: outcome.kind, code, isFault: false };
}

function failed(cause: string): AttemptEnding {
  return { outcome: cause, code: null, isFault: cause !== 'aborted' };
}
