import type { After } from '../after.ts';
import { asksNext, asLast } from '../node-errors.ts';
import type { StreamingOutcome, StreamingUpstream, UpstreamCall } from '../upstream.ts';
import { failure, type FailureCause } from '../failure.ts';
import { createChooser, type Candidate, type Wish } from './choose.ts';
import type { Demand } from './heights.ts';

export interface RouteOptions {
  readonly family: string;
  /** Attempts for one call, hedges included. */
  readonly most_tries: number;
  /** For all tries of a call together, queues included. */
  readonly deadlineOf: (call: UpstreamCall) => number;
  /** After how long a second upstream is asked beside the first; undefined: never. */
  readonly hedge_after_ms: number | undefined;
  /** What a call demands of the upstream that is to answer it. */
  readonly demandOf: (call: UpstreamCall) => Demand;
  readonly monotonic_ms: () => number;
  readonly after: After;
  readonly onHedge: (candidate: Candidate, call: UpstreamCall) => void;
  /** A candidate is asked after an attempt that ended with `cause`. */
  readonly onRetry: (candidate: Candidate, call: UpstreamCall, cause: RetryCause) => void;
}

export type RetryCause = FailureCause | 'error';

/**
 * One upstream out of many: asks the one that is chosen, and another one when it fails as a machine;
 * a node's answer, null included, is final but for the errors that `asksNext` names. A connection
 * that broke is tried once more where no other upstream is left, since it may have been closed while
 * idle: all calls here only read. With hedging, a slow upstream gets a rival of its tier; the first
 * answer counts, and the other attempt is given up. Tries are bounded in number and in time.
 */
export function routeOver(
  candidates: readonly Candidate[],
  options: RouteOptions,
): StreamingUpstream {
  const choose = createChooser(candidates);
  return (call, signal) =>
    new Promise((resolve) => {
      const route = new Route({ call, signal, choose, options, resolve });
      route.start();
    });
}

interface RouteContext {
  readonly call: UpstreamCall;
  readonly signal: AbortSignal;
  readonly choose: (wish: Wish) => Candidate | undefined;
  readonly options: RouteOptions;
  readonly resolve: (outcome: StreamingOutcome) => void;
}

interface Attempt {
  readonly candidate: Candidate;
  /** Gives it up; absent where there is no rival. */
  readonly leash: AbortController | undefined;
}

const NONE = failure('none', 'no upstream is fit to be asked');
const ABORTED = failure('aborted', 'the caller gave up');

/** One call on its way through upstreams. */
class Route {
  readonly #context: RouteContext;
  readonly #demand: Demand;
  readonly #ends_ms: number;
  readonly #tried: Candidate[] = [];
  readonly #running = new Set<Attempt>();
  readonly #onAbort = (): void => this.#abandon();
  #cancelHedge: () => void = () => undefined;
  /** What leaves when no other upstream is left. */
  #last: StreamingOutcome = NONE;
  #isSettled = false;

  constructor(context: RouteContext) {
    const { call, options } = context;
    this.#context = context;
    this.#demand = options.demandOf(call);
    this.#ends_ms = options.monotonic_ms() + options.deadlineOf(call);
  }

  start(): void {
    const { call, signal, options } = this.#context;
    if (call.abandoned?.aborted === true) return this.#settle(ABORTED);
    if (options.hedge_after_ms !== undefined) {
      signal.addEventListener('abort', this.#onAbort, { once: true });
      this.#cancelHedge = options.after(options.hedge_after_ms, () => this.#hedge());
    }
    return this.#next() ? undefined : this.#settle(NONE);
  }

  /** Asks another upstream, if there is one to ask and time and tries are left. */
  #next(failed?: StreamingOutcome): boolean {
    const wish = { without: this.#tried, demand: this.#demand };
    const candidate = this.#mayTry() ? (this.#context.choose(wish) ?? this.#again()) : undefined;
    if (candidate === undefined) return false;
    if (failed !== undefined) this.#tellRetry(candidate, failed);
    this.#launch(candidate);
    return true;
  }

  #tellRetry(candidate: Candidate, failed: StreamingOutcome): void {
    const { call, options } = this.#context;
    options.onRetry(candidate, call, failed.kind === 'failure' ? failed.cause : 'error');
  }

  #hedge(): void {
    const [slow] = this.#running;
    if (this.#isSettled || slow === undefined || this.#running.size > 1 || !this.#mayTry()) return;
    const { tier } = slow.candidate;
    const rival = this.#context.choose({ without: this.#tried, demand: this.#demand, tier });
    if (rival === undefined) return;
    this.#context.options.onHedge(rival, this.#context.call);
    this.#launch(rival);
  }

  #mayTry(): boolean {
    const { call, options } = this.#context;
    if (call.abandoned?.aborted === true) return false;
    return this.#tried.length < options.most_tries && this.#left_ms() > 0;
  }

  #left_ms(): number {
    return this.#ends_ms - this.#context.options.monotonic_ms();
  }

  #again(): Candidate | undefined {
    const candidate = this.#tried.at(-1);
    const broke = this.#last.kind === 'failure' && this.#last.cause === 'connection';
    if (!broke || candidate === undefined || !candidate.canTake(this.#demand)) return undefined;
    return new Set(this.#tried).size === this.#tried.length ? candidate : undefined;
  }

  #launch(candidate: Candidate): void {
    const { call, signal, options } = this.#context;
    const leash = options.hedge_after_ms === undefined ? undefined : new AbortController();
    const attempt = { candidate, leash };
    this.#tried.push(candidate);
    this.#running.add(attempt);
    void candidate
      .ask(call, leash?.signal ?? signal, Math.ceil(this.#left_ms()))
      .then((outcome) => this.#land(attempt, outcome));
  }

  #land(attempt: Attempt, outcome: StreamingOutcome): void {
    this.#running.delete(attempt);
    if (this.#isSettled) return;
    const { signal, options } = this.#context;
    // Dropped from a queue because its caller left: a rival that was sent goes on.
    if (isAborted(outcome) && !signal.aborted && this.#running.size > 0) return;
    if (isFinal(options.family, outcome) || signal.aborted) return this.#settle(outcome, attempt);
    const leaving = asLast(options.family, outcome);
    // A node's own words say more than that another one was not there.
    if (this.#last.kind !== 'error' || leaving.kind === 'error') this.#last = leaving;
    if (!this.#next(outcome) && this.#running.size === 0) this.#settle(this.#last);
  }

  #settle(outcome: StreamingOutcome, winner?: Attempt): void {
    this.#isSettled = true;
    this.#cancelHedge();
    for (const { leash } of this.#running) leash?.abort();
    const { signal, resolve } = this.#context;
    if (outcome.kind === 'stream' && winner?.leash !== undefined) {
      // The caller's leaving ends the stream too.
      signal.removeEventListener('abort', this.#onAbort);
      const { leash } = winner;
      const onAbort = (): void => leash.abort();
      signal.addEventListener('abort', onAbort, { once: true });
      void outcome.stream.ended.then(() => signal.removeEventListener('abort', onAbort));
    } else {
      signal.removeEventListener('abort', this.#onAbort);
    }
    resolve(outcome);
  }

  #abandon(): void {
    for (const { leash } of this.#running) leash?.abort();
  }
}

function isAborted(outcome: StreamingOutcome): boolean {
  return outcome.kind === 'failure' && outcome.cause === 'aborted';
}

function isFinal(family: string, outcome: StreamingOutcome): boolean {
  if (outcome.kind === 'failure') {
    return outcome.cause === 'aborted' || outcome.cause === 'too_large';
  }
  return outcome.kind !== 'error' || !asksNext(family, outcome.error);
}
