import type { Clock } from '../time/clock.ts';
import type { Observe } from './events.ts';
import { meansUnhealthy } from './node-errors.ts';
import type { StreamEnd } from './result-stream.ts';
import type { Breaker, Verdict } from './routing/breaker.ts';
import type { Rest } from './routing/rest.ts';
import type { Answerer, StreamOutcome, StreamingOutcome, UpstreamCall } from './upstream.ts';
import { failure, type FailureCause } from './failure.ts';
import type { TimedUpstream } from './with-timeout.ts';

export interface AttemptsOptions {
  readonly by: Answerer;
  readonly family: string;
  /** How long a try may take; less when the deadline of its call comes first. */
  readonly try_ms: number;
  readonly breaker: Breaker;
  readonly rest: Rest;
  readonly clock: Clock;
  readonly observe: Observe;
}

const CLOSED_MEANWHILE = failure('none', 'it could no longer be asked when a slot became free');

/** Times and judges the attempts made at one upstream, and reports them. */
export class Attempts {
  readonly #upstream: TimedUpstream;
  readonly #options: AttemptsOptions;

  constructor(upstream: TimedUpstream, options: AttemptsOptions) {
    this.#upstream = upstream;
    this.#options = options;
  }

  /** `left_ms`: until the deadline of the call. The time a call was queued for is over by now. */
  readonly make: TimedUpstream = (call, signal, left_ms) => {
    const { breaker, rest, clock, observe, by, try_ms } = this.#options;
    if (!breaker.admits() || !rest.isOver) return Promise.resolve(CLOSED_MEANWHILE);
    const conclude = breaker.begin();
    const started_ms = clock.monotonic_ms();
    const limit_ms = Math.min(try_ms, Math.ceil(left_ms));
    observe({ kind: 'attempt', upstream: by.name, isPartner: by.isPartner, method: call.method });
    return this.#upstream(call, signal, limit_ms).then((outcome) => {
      conclude(this.#judge(outcome, limit_ms));
      if (outcome.kind === 'failure') rest.heed(outcome);
      this.#tell(call, outcome, started_ms);
      if (outcome.kind === 'stream') this.#watch(call, outcome, started_ms);
      return outcome.kind === 'failure' ? outcome : { ...outcome, by };
    });
  };

  #judge(outcome: StreamingOutcome, limit_ms: number): Verdict {
    const { family, try_ms } = this.#options;
    if (outcome.kind === 'error') return meansUnhealthy(family, outcome.error) ? 'bad' : 'good';
    if (outcome.kind !== 'failure') return 'good';
    // A try that the deadline of its call cut short had not the time it was due.
    const isUnfair = outcome.cause === 'timeout' && limit_ms < try_ms;
    return isUnfair || !blamed.has(outcome.cause) ? 'nothing' : 'bad';
  }

  #tell(call: UpstreamCall, outcome: StreamingOutcome, started_ms: number): void {
    const { observe, clock, by } = this.#options;
    observe({
      kind: 'outcome',
      ...labels(by, call),
      outcome: outcome.kind === 'failure' ? outcome.cause : outcome.kind,
      code: outcome.kind === 'error' ? outcome.error.code : null,
      detail: outcome.kind === 'failure' ? outcome.detail : '',
      duration_ms: clock.monotonic_ms() - started_ms,
    });
  }

  #watch(call: UpstreamCall, { stream }: StreamOutcome, started_ms: number): void {
    const { breaker, observe, clock, by } = this.#options;
    const onEnd = (end: StreamEnd): void => {
      const isWhole = end.kind === 'whole';
      const isBad = !isWhole && blamed.has(end.cause);
      if (isBad && breaker.state === 'closed') breaker.begin()('bad');
      observe({
        kind: 'stream',
        ...labels(by, call),
        end: isWhole ? 'whole' : end.cause,
        detail: isWhole ? '' : end.detail,
        bytes: end.bytes,
        duration_ms: clock.monotonic_ms() - started_ms,
      });
    };
    void stream.ended.then(onEnd);
  }
}

function labels(
  { name, isPartner }: Answerer,
  { method, requestId }: UpstreamCall,
): { upstream: string; isPartner: boolean; method: string; requestId: string | undefined } {
  return { upstream: name, isPartner, method, requestId };
}

/** Failures that are the machine's. */
const blamed: ReadonlySet<FailureCause> = new Set([
  'connection',
  'timeout',
  'status',
  'malformed',
  'unhealthy',
]);
