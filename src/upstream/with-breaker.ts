import type { Clock } from '../time/clock.ts';
import type { Observe } from './events.ts';
import { meansUnhealthy } from './node-errors.ts';
import type { AttemptResult, Breaker } from './routing/breaker.ts';
import type { Cooldown } from './routing/cooldown.ts';
import { failure, type Answerer, type FailureCause } from './upstream.ts';
import type {
  StreamEnd,
  StreamingOutcome,
  StreamOutcome,
  TimedUpstream,
  UpstreamCall,
} from './upstream.ts';

export interface BreakerContext {
  readonly by: Answerer;
  readonly family: string;
  readonly breaker: Breaker;
  readonly cooldown: Cooldown;
  readonly clock: Clock;
  readonly observe: Observe;
}

/**
 * Causes that count against the node. Each may be due to the call, so the failures that count for one
 * account are limited.
 */
const nodeFailures: ReadonlySet<FailureCause> = new Set([
  'status',
  'unhealthy',
  'timeout',
  'malformed',
]);

const CLOSED_MEANWHILE = failure('none', 'the node became unavailable while the call was queued');

/** Sends attempts through the circuit breaker and cooldown of a node and reports them as events. */
export function withBreaker(upstream: TimedUpstream, context: BreakerContext): TimedUpstream {
  const { by, breaker, cooldown, clock } = context;
  return (call, signal, left_ms) => {
    if (!breaker.allows(call.account) || cooldown.isActiveFor(call.account)) {
      return Promise.resolve(CLOSED_MEANWHILE);
    }
    const record = breaker.start(call.account);
    const started_ms = clock.monotonic_ms();
    const end = (each: UpstreamCall, outcome: StreamingOutcome): StreamingOutcome => {
      record(resultOf(outcome, context));
      if (outcome.kind === 'failure') cooldown.applyFor(call.account, outcome);
      reportOutcome(each, outcome, started_ms, context);
      if (outcome.kind === 'stream') watchStream(each, outcome, started_ms, context);
      return outcome.kind === 'failure' ? outcome : { ...outcome, by };
    };
    const { calls } = call;
    if (calls === undefined) {
      begin(call, context);
      return upstream(call, signal, left_ms).then((outcome) => end(call, outcome));
    }
    for (const each of calls) begin(each.call, context);
    return upstream(call, signal, left_ms).then((outcome) => {
      for (const each of calls) each.outcome = end(each.call, each.outcome ?? outcome);
      return outcome;
    });
  };
}

function begin(call: UpstreamCall, { observe, by }: BreakerContext): void {
  observe({ kind: 'attempt', upstream: by.name, isPartner: by.isPartner, method: call.method });
}

function resultOf(outcome: StreamingOutcome, { family }: BreakerContext): AttemptResult {
  if (outcome.kind === 'error') {
    return meansUnhealthy(family, outcome.error) ? 'failure' : 'success';
  }
  if (outcome.kind !== 'failure') return 'success';
  // Upstreams replace a shared connection themselves, and verify the node before they use it.
  const { isCutShort, isShared, isBatchTimeout } = outcome;
  const isUnknown = isCutShort === true || isShared === true || isBatchTimeout === true;
  return isUnknown ? 'unknown' : resultOfFailure(outcome.cause);
}

function resultOfFailure(cause: FailureCause): AttemptResult {
  if (cause === 'connection') return 'lost';
  return nodeFailures.has(cause) ? 'failure' : 'unknown';
}

function reportOutcome(
  call: UpstreamCall,
  outcome: StreamingOutcome,
  started_ms: number,
  { observe, clock, by }: BreakerContext,
): void {
  observe({
    kind: 'outcome',
    upstream: by.name,
    isPartner: by.isPartner,
    method: call.method,
    requestId: call.requestId,
    outcome: outcome.kind === 'failure' ? outcome.cause : outcome.kind,
    code: outcome.kind === 'error' ? outcome.error.code : null,
    detail: outcome.kind === 'failure' ? outcome.detail : '',
    duration_ms: clock.monotonic_ms() - started_ms,
  });
}

function watchStream(
  call: UpstreamCall,
  { stream }: StreamOutcome,
  started_ms: number,
  { breaker, observe, clock, by }: BreakerContext,
): void {
  const onEnd = (end: StreamEnd): void => {
    const isWhole = end.kind === 'whole';
    if (!isWhole) breaker.start(call.account)(resultOfFailure(end.cause));
    observe({
      kind: 'stream',
      upstream: by.name,
      isPartner: by.isPartner,
      method: call.method,
      requestId: call.requestId,
      end: isWhole ? 'whole' : end.cause,
      detail: isWhole ? '' : end.detail,
      bytes: end.bytes,
      duration_ms: clock.monotonic_ms() - started_ms,
    });
  };
  void stream.ended.then(onEnd);
}
