import type { Clock } from '../time/clock.ts';
import { Attempts } from './attempts.ts';
import type { Observe } from './events.ts';
import { Health } from './health/health.ts';
import type { UpstreamLimits } from './limits.ts';
import type { OpenUpstream } from './opened.ts';
import type { Probes } from './probes.ts';
import { Breaker, type BreakerState } from './routing/breaker.ts';
import { Budget, type BudgetTerms } from './routing/budget.ts';
import type { Candidate } from './routing/choose.ts';
import type { Demand, HeightReport } from './routing/heights.ts';
import { Rest } from './routing/rest.ts';
import type { StreamingUpstream } from './upstream.ts';
import { CallQueue, reservedBeside } from './with-queue.ts';
import { withTimeLimit, withTimeout, type TimedUpstream } from './with-timeout.ts';
import { withTrace } from './with-trace.ts';

/** An upstream as its network is given it. */
export interface MemberTerms {
  /** For logs, metrics and headers. */
  readonly name: string;
  readonly upstream: OpenUpstream;
  /** How much of the load it takes beside others of its tier; 1 when absent. */
  readonly weight?: number;
  /** Upstreams of the lowest tier are asked as long as one of them can; 1 when absent. */
  readonly tier?: number;
  readonly budget?: BudgetTerms;
  /** Instead of the network's, e.g. for one whose every call is paid for. */
  readonly probe_interval_ms?: number;
}

export interface MemberOptions {
  readonly isPartner: boolean;
  readonly family: string;
  readonly probes: Probes;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observe: Observe;
  /** How far a height is behind the highest one. */
  readonly lagOf: (height: number) => number;
  /** Whether an upstream is too far behind to be asked for the newest state. */
  readonly isBehind: (report: HeightReport) => boolean;
}

/** One upstream of a network: its queue, breaker, budget and health in one place. */
export class Member implements Candidate, HeightReport {
  readonly terms: MemberTerms;
  readonly name: string;
  readonly weight: number;
  readonly tier: number;
  readonly isPartner: boolean;
  readonly health: Health;
  readonly ask: TimedUpstream;
  readonly #options: MemberOptions;
  readonly #queue: CallQueue;
  readonly #breaker: Breaker;
  readonly #budget: Budget;
  readonly #rest: Rest;
  #hadRoom = true;

  constructor(terms: MemberTerms, options: MemberOptions) {
    const { name, upstream } = terms;
    const { isPartner, family, limits, clock, observe } = options;
    this.terms = terms;
    this.name = name;
    this.weight = terms.weight ?? 1;
    this.tier = terms.tier ?? 1;
    this.isPartner = isPartner;
    this.#options = options;
    this.#budget = new Budget(terms.budget ?? {}, clock);
    this.#breaker = this.#watchOver();
    this.#rest = this.#heed();
    const by = { name, isPartner };
    const attempts = new Attempts(withTrace(withTimeLimit(this.#counted(upstream.call)), by), {
      by,
      family,
      try_ms: isPartner ? limits.partner_ms : limits.try_ms,
      breaker: this.#breaker,
      rest: this.#rest,
      clock,
      observe,
    });
    const slots = Math.min(limits.upstream_calls_in_flight, upstream.slots ?? Infinity);
    this.#queue = new CallQueue(attempts.make, {
      in_flight: slots,
      reserved: reservedBeside(slots),
      queued: limits.upstream_calls_queued,
      monotonic_ms: () => clock.monotonic_ms(),
    });
    this.ask = this.#queue.call;
    this.health = this.#follow();
  }

  get inFlight(): number {
    return this.#queue.size;
  }

  get isFit(): boolean {
    return this.health.isFit && !this.isResting;
  }

  /** Whether it asked to be left alone. */
  get isResting(): boolean {
    return !this.#rest.isOver;
  }

  get height(): number | undefined {
    return this.health.head?.number;
  }

  get heightAt_ms(): number {
    return this.health.headAt_ms;
  }

  get pace_per_s(): number {
    return this.health.pace_per_s;
  }

  get breaker(): BreakerState {
    return this.#breaker.state;
  }

  get callsLeftToday(): number | null {
    return this.#budget.leftToday();
  }

  canTake({ tip, floor, account }: Demand): boolean {
    if (!this.isFit || (this.height ?? 0) < floor) return false;
    return !(tip && this.#options.isBehind(this)) && this.isOpen(account);
  }

  /** Whether breaker, queue and budget let a call of this account pass, and it is not cooling down. */
  isOpen(account: string | undefined): boolean {
    if (this.isResting || !this.#breaker.admits()) return false;
    return !this.#queue.isFull(account) && this.#hasRoom();
  }

  #watchOver(): Breaker {
    const { limits, clock, random, observe } = this.#options;
    return new Breaker({
      attempts: limits.breaker_attempts,
      failures: limits.breaker_failures,
      open_ms: limits.breaker_open_ms,
      most_open_ms: limits.breaker_most_open_ms,
      monotonic_ms: () => clock.monotonic_ms(),
      random,
      onChange: (state) => observe({ kind: 'breaker', upstream: this.name, state }),
    });
  }

  #heed(): Rest {
    const { limits, clock, observe } = this.#options;
    return new Rest({
      most_ms: limits.upstream_rest_ms,
      monotonic_ms: () => clock.monotonic_ms(),
      onBegin: (rest_ms) => observe({ kind: 'rest', upstream: this.name, rest_ms }),
    });
  }

  #follow(): Health {
    const { probes, limits, clock, observe, lagOf } = this.#options;
    const probed = withTimeout(this.#counted(this.terms.upstream.call), limits.probe_ms);
    const upstream: StreamingUpstream = async (call, signal) => {
      const outcome = await probed(call, signal);
      if (outcome.kind === 'failure') this.#rest.heed(outcome);
      return outcome;
    };
    const { name } = this;
    return new Health({
      probeHead: (signal) => probes.head(upstream, signal),
      probeFinalized: (signal) => probes.finalized(upstream, signal),
      most_failures: limits.probe_failures,
      probes_per_finalized: limits.probes_per_finalized,
      monotonic_ms: () => clock.monotonic_ms(),
      onChange: (isFit, detail) => observe({ kind: 'fitness', upstream: name, isFit, detail }),
      onHead: (head) => observe({ kind: 'head', upstream: name, head, lag: lagOf(head.number) }),
    });
  }

  /** Whoever pays for an upstream's calls pays for probes too. */
  #counted(upstream: StreamingUpstream): StreamingUpstream {
    return (call, signal) => {
      this.#budget.spend();
      return upstream(call, signal);
    };
  }

  #hasRoom(): boolean {
    const hasRoom = this.#budget.hasRoom();
    if (hasRoom !== this.#hadRoom) {
      this.#hadRoom = hasRoom;
      const leftToday = this.#budget.leftToday();
      this.#options.observe({ kind: 'budget', upstream: this.name, hasRoom, leftToday });
    }
    return hasRoom;
  }
}
