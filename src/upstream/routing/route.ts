import { Cancellation, type CancelSignal } from '../../time/cancellation.ts';
import type { StartTimer } from '../../time/timer.ts';
import { isRetried, lastOutcome } from '../node-errors.ts';
import { ABORTED, failure } from '../upstream.ts';
import type {
  FailureCause,
  StreamingOutcome,
  StreamingUpstream,
  UpstreamCall,
} from '../upstream.ts';
import { createChooser, type Candidate, type Choice } from './choose.ts';
import type { Demand } from './heights.ts';

export interface RouteOptions {
  readonly family: string;
  /** Per call, hedges included. */
  readonly max_attempts: number;
  /** Returns the time for all attempts at a call, queues included. */
  readonly deadlineOf: (call: UpstreamCall) => number;
  /** Delay before a second node is called alongside a slow one; undefined: never. */
  readonly hedge_after_ms: number | undefined;
  readonly demandOf: (call: UpstreamCall) => Demand;
  /**
   * Resolves when the call should be tried again: a node that lost its connection is healthy again or was given up,
   * or a budget has a call for an account below its share. Undefined if no node is worth waiting for within the
   * limit.
   */
  readonly waitForNode: (
    call: UpstreamCall,
    demand: Demand,
    limit_ms: number,
  ) => Promise<void> | undefined;
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  readonly onHedge: (candidate: Candidate, call: UpstreamCall) => void;
  /** Called when a node is called after an attempt that ended with `cause`. */
  readonly onRetry: (candidate: Candidate, call: UpstreamCall, cause: RetryCause) => void;
}

export type RetryCause = FailureCause | 'error';

/**
 * Routes each call to one of several nodes, and to another one on failure. A node's response, null
 * included, is final except for errors that `isRetried` accepts. If no other node is available, a call on a
 * broken connection is retried once on the same node, since the connection may have been closed while idle;
 * all methods only read. So is a call that waited in vain for others in the same request. Calls wait for nodes
 * that lost their connections recently, and for their account's share of a budget. With hedging, a second node
 * of the same tier is called alongside a slow one; the first response counts and the other attempt is canceled.
 * Attempts are bounded in number and time.
 */
export function routeOver(
  candidates: readonly Candidate[],
  options: RouteOptions,
): StreamingUpstream {
  const choose = createChooser(candidates);
  const { family, hedge_after_ms, monotonic_ms } = options;
  return (call, signal) => {
    if (call.abandoned?.aborted === true) return Promise.resolve(ABORTED);
    const demand = options.demandOf(call);
    const deadline_ms = options.deadlineOf(call) - (call.waited_ms ?? 0);
    if (deadline_ms <= 0) return Promise.resolve(EXPIRED);
    const ends_ms = monotonic_ms() + deadline_ms;
    const first = choose({ exclude: UNTRIED, demand });
    const route = (): Route => new Route({ call, signal, choose, options, demand, ends_ms });
    if (first === undefined) return route().wait();
    if (hedge_after_ms !== undefined) return route().race(first, hedge_after_ms);
    // Nearly every call needs only one attempt, and no Route.
    return first.call(call, signal, Math.ceil(deadline_ms)).then((outcome) => {
      if (isFinal(family, outcome) || signal.aborted) return outcome;
      return route().retry(first, outcome);
    });
  };
}

/**
 * With less time left, no further attempt is made: hardly a node answers so fast, and the timer of an attempt
 * with all the time of the call may end it some milliseconds early, after other work in a turn of the event
 * loop.
 */
const MIN_ATTEMPT_MS = 20;

/** How often, and how long, a call waits for a connection that is closing or not open yet. */
const MAX_UNSENT = 20;
const UNSENT_WAIT_MS = 100;

/** How often a call leaves an occupied connection, before it waits. */
const MAX_MOVES = 2;

const UNTRIED: readonly Candidate[] = [];

interface RouteContext {
  readonly call: UpstreamCall;
  readonly signal: CancelSignal;
  readonly choose: (choice: Choice) => Candidate | undefined;
  readonly options: RouteOptions;
  readonly demand: Demand;
  readonly ends_ms: number;
}

interface Attempt {
  readonly candidate: Candidate;
  /** Cancels the attempt; absent without hedging. */
  readonly cancellation: Cancellation | undefined;
}

/**
 * Failures after which no other node is called: another one would respond the same way, one has
 * responded, or the caller has disconnected.
 */
const finalFailures: ReadonlySet<FailureCause> = new Set([
  'too_large',
  'too_deep',
  'unread',
  'aborted',
]);

const lostConnection: ReadonlySet<FailureCause> = new Set(['connection', 'interrupted']);

/** Failures after which a call waits for a node that is expected to take it soon. */
const waitingFailures: ReadonlySet<FailureCause> = new Set([...lostConnection, 'none']);

const NONE = failure('none', 'no healthy upstream available');
const EXPIRED = failure('timeout', 'no response to an identical call before the deadline');

/** The attempts at one call that may need several. */
class Route {
  #context: RouteContext;
  readonly #outcome = Promise.withResolvers<StreamingOutcome>();
  readonly #tried: Candidate[] = [];
  readonly #running = new Set<Attempt>();
  readonly #onAbort = (): void => this.#cancelRunning();
  #cancelHedge: () => void = () => undefined;
  /** The outcome when no other node is left. */
  #last: StreamingOutcome = NONE;
  /** How often an attempt was ended so that the call could move to another connection. */
  #moves = 0;
  /** Attempts that did not reach a node. */
  #unsent = 0;
  #isSuspect = false;
  #isSettled = false;

  constructor(context: RouteContext) {
    this.#context = context;
  }

  /** Starts the first attempt, and another one alongside if it takes too long. */
  race(first: Candidate, hedge_after_ms: number): Promise<StreamingOutcome> {
    const { signal, options } = this.#context;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#cancelHedge = options.startTimer(hedge_after_ms, () => this.#hedge());
    this.#attempt(first);
    return this.#outcome.promise;
  }

  /** Makes the first attempt once a node is expected to take the call. */
  wait(): Promise<StreamingOutcome> {
    this.#waitOrSettle();
    return this.#outcome.promise;
  }

  /** Continues after the first attempt, whose outcome is not final. */
  retry(first: Candidate, outcome: StreamingOutcome): Promise<StreamingOutcome> {
    this.#tried.push(first);
    this.#continue(outcome);
    return this.#outcome.promise;
  }

  /** Starts the next attempt; returns false when no node, time or attempt is left. */
  #tryNext(failed: StreamingOutcome): boolean {
    if (!this.#mayTry()) return false;
    const { call, choose, options, demand } = this.#context;
    // The node has a new connection for calls that move; the connection of another node may be occupied too.
    const isMoved = failed.kind === 'failure' && failed.isMoved === true;
    const same = isMoved ? this.#sameNode(true) : undefined;
    const isBatchTimeout = failed.kind === 'failure' && failed.isBatchTimeout === true;
    const candidate =
      same ?? choose({ exclude: this.#tried, demand }) ?? this.#sameNode(isBatchTimeout);
    if (candidate === undefined) return false;
    options.onRetry(candidate, call, failed.kind === 'failure' ? failed.cause : 'error');
    this.#attempt(candidate);
    return true;
  }

  #hedge(): void {
    const [slow] = this.#running;
    if (this.#isSettled || slow === undefined || this.#running.size > 1 || !this.#mayTry()) return;
    const { call, choose, options, demand } = this.#context;
    const { tier } = slow.candidate;
    const rival = choose({ exclude: this.#tried, demand, tier });
    if (rival === undefined) return;
    options.onHedge(rival, call);
    this.#attempt(rival);
  }

  #mayTry(): boolean {
    const { call, options } = this.#context;
    if (call.abandoned?.aborted === true) return false;
    return this.#attempts < options.max_attempts && this.#left_ms() > MIN_ATTEMPT_MS;
  }

  get #attempts(): number {
    return this.#tried.length - Math.min(this.#unsent, MAX_UNSENT);
  }

  #left_ms(): number {
    return this.#context.ends_ms - this.#context.options.monotonic_ms();
  }

  /** Returns the last node if its connection broke and it was tried only once, or if the call may succeed there. */
  #sameNode(maySucceed = false): Candidate | undefined {
    const candidate = this.#tried.at(-1);
    if (candidate?.canTake(this.#context.demand) !== true) return undefined;
    const last = this.#last;
    const broke =
      last.kind === 'failure' && lostConnection.has(last.cause) && last.isUnsent !== true;
    const wasTriedOnce = new Set(this.#tried).size === this.#tried.length;
    return maySucceed || (broke && wasTriedOnce) ? candidate : undefined;
  }

  #attempt(candidate: Candidate): void {
    const { call, signal, options } = this.#context;
    const cancellation = options.hedge_after_ms === undefined ? undefined : new Cancellation();
    const attempt = { candidate, cancellation };
    const isRepeated = this.#tried.length > 0;
    const stays = this.#moves >= MAX_MOVES || this.#attempts + 1 >= options.max_attempts;
    // Calls that failed in a batch are retried alone.
    const sent = isRepeated
      ? { ...call, batch: undefined, stays, isSuspect: this.#isSuspect }
      : call;
    this.#tried.push(candidate);
    this.#running.add(attempt);
    void candidate
      .call(sent, cancellation ?? signal, Math.ceil(this.#left_ms()))
      .then((outcome) => this.#end(attempt, outcome));
  }

  #end(attempt: Attempt, outcome: StreamingOutcome): void {
    this.#running.delete(attempt);
    if (this.#isSettled) return;
    const { signal, options } = this.#context;
    // The attempt was dropped from a queue because its caller disconnected; another one that was sent
    // continues.
    if (isAborted(outcome) && !signal.aborted && this.#running.size > 0) return;
    if (isFinal(options.family, outcome) || signal.aborted) return this.#settle(outcome, attempt);
    return this.#continue(outcome);
  }

  #continue(outcome: StreamingOutcome): void {
    if (outcome.kind === 'failure') {
      if (outcome.isMoved === true) this.#moves += 1;
      if (outcome.isUnsent === true) this.#unsent += 1;
      if (outcome.isBatchTimeout === true) this.#ignoreAbandonment();
      this.#isSuspect ||= outcome.isSuspect === true;
    }
    const last = lastOutcome(this.#context.options.family, outcome);
    // A node's error is more informative than the failure of another node.
    if (this.#last.kind !== 'error' || last.kind === 'error') this.#last = last;
    if (!this.#tryNext(outcome) && this.#running.size === 0) this.#waitOrSettle();
  }

  /** The call goes on without its caller: a node has worked on it, and it is free unless it is answered. */
  #ignoreAbandonment(): void {
    const { call } = this.#context;
    this.#context = { ...this.#context, call: { ...call, abandoned: undefined } };
  }

  /**
   * Ends the call unless nodes lost their connections recently, or have spent their budgets, which calls of another
   * account may have caused. Further attempts may go to nodes that were tried.
   */
  #waitOrSettle(): void {
    const { call, signal, choose, demand } = this.#context;
    const wait = this.#mayTry() ? this.#waitForNode() : undefined;
    if (wait === undefined) return this.#settle(this.#last);
    void wait.then(() => {
      if (signal.aborted || call.abandoned?.aborted === true) return this.#settle(ABORTED);
      const candidate = this.#mayTry() ? choose({ exclude: UNTRIED, demand }) : undefined;
      return candidate === undefined ? this.#waitOrSettle() : this.#attempt(candidate);
    });
    return undefined;
  }

  #waitForNode(): Promise<void> | undefined {
    const { call, options, demand } = this.#context;
    const last = this.#last;
    if (last.kind !== 'failure' || !waitingFailures.has(last.cause)) return undefined;
    const wait = options.waitForNode(call, demand, this.#left_ms());
    if (wait !== undefined || last.isUnsent !== true) return wait;
    // The node is not known to have lost its connection yet.
    return new Promise((resolve) => void options.startTimer(UNSENT_WAIT_MS, resolve));
  }

  #settle(outcome: StreamingOutcome, { cancellation }: Partial<Attempt> = {}): void {
    this.#isSettled = true;
    this.#cancelHedge();
    this.#cancelRunning();
    const { signal } = this.#context;
    signal.removeEventListener('abort', this.#onAbort);
    if (outcome.kind === 'stream' && cancellation !== undefined) {
      const onAbort = (): void => cancellation.abort();
      signal.addEventListener('abort', onAbort, { once: true });
      void outcome.stream.ended.then(() => signal.removeEventListener('abort', onAbort));
    }
    this.#outcome.resolve(outcome);
  }

  #cancelRunning(): void {
    for (const { cancellation } of this.#running) cancellation?.abort();
  }
}

function isAborted(outcome: StreamingOutcome): boolean {
  return outcome.kind === 'failure' && outcome.cause === 'aborted';
}

function isFinal(family: string, outcome: StreamingOutcome): boolean {
  if (outcome.kind === 'failure') return finalFailures.has(outcome.cause);
  return outcome.kind !== 'error' || !isRetried(family, outcome.error);
}
