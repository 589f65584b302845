import type { CancelSignal } from '../time/cancellation.ts';
import type { Clock } from '../time/clock.ts';
import type { StartTimer } from '../time/timer.ts';
import type { Observe } from './events.ts';
import { splitSlots } from './fair-slots.ts';
import { Health } from './health/health.ts';
import type { Probes } from './health/probes.ts';
import type { UpstreamLimits } from './limits.ts';
import { Breaker, type BreakerState } from './routing/breaker.ts';
import { Budget, type BudgetLimits } from './routing/budget.ts';
import type { Candidate } from './routing/choose.ts';
import { Cooldown } from './routing/cooldown.ts';
import type { Demand, HeightReport } from './routing/heights.ts';
import type { OpenUpstream, StreamingUpstream, TimedUpstream } from './upstream.ts';
import { withBreaker } from './with-breaker.ts';
import { withBudget } from './with-budget.ts';
import { withJoining } from './with-joining.ts';
import { CallQueue } from './with-queue.ts';
import { withTimeLimit, withTimeout } from './with-timeout.ts';
import { withTrace } from './with-trace.ts';

export interface NodeConfig {
  /** For logs, metrics and headers. */
  readonly name: string;
  readonly upstream: OpenUpstream;
  /** Share of the load among nodes of its tier; 1 when absent. */
  readonly weight?: number;
  /** Lower tiers are used as long as one of their nodes is available; 1 when absent. */
  readonly tier?: number;
  /** Maximum number of calls in flight, probes included. */
  readonly callsInFlight?: number;
  readonly budget?: BudgetLimits;
}

export interface NodeOptions {
  readonly isPartner: boolean;
  readonly family: string;
  readonly probes: Probes;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly startTimer: StartTimer;
  readonly observe: Observe;
  /** Returns how many blocks a height is behind the highest node. */
  readonly lagOf: (height: number) => number;
  /** Whether a node is too far behind to be asked for the latest state. */
  readonly isBehind: (report: HeightReport, account: string | undefined) => boolean;
}

/** One node of a network: its queue, breaker, cooldown, budget and health. */
export class UpstreamNode implements Candidate, HeightReport {
  readonly config: NodeConfig;
  readonly name: string;
  readonly weight: number;
  readonly tier: number;
  readonly isPartner: boolean;
  readonly health: Health;
  readonly call: TimedUpstream;
  readonly #options: NodeOptions;
  readonly #queue: CallQueue;
  readonly #breaker: Breaker;
  readonly #budget: Budget;
  readonly #cooldown: Cooldown;
  /** Sends probes. */
  readonly #probed: StreamingUpstream;
  readonly #closing = new AbortController();
  #wasExhausted = false;
  #answeredHeight: number | undefined;

  constructor(config: NodeConfig, options: NodeOptions) {
    const { name, weight = 1, tier = 1 } = config;
    this.config = config;
    this.name = name;
    this.weight = weight;
    this.tier = tier;
    this.isPartner = options.isPartner;
    this.#options = options;
    this.#budget = new Budget(config.budget ?? {}, options.clock);
    const { call } = config.upstream;
    const counted = this.#budget.isUnlimited ? call : withBudget(call, this.#budget);
    this.#cooldown = this.#createCooldown();
    this.#probed = withCooldown(withTimeout(counted, options.limits.probe_ms), this.#cooldown);
    this.health = createHealth(name, this.#probed, options);
    this.#breaker = this.#createBreaker();
    this.#queue = this.#createQueue(counted);
    this.call = withJoining(this.#queue.call, this.#queue.maxBatch);
  }

  get inFlight(): number {
    return this.#queue.size;
  }

  /** Whether calls wait or are in flight, without those that only the node has not ended. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  get isHealthy(): boolean {
    return this.health.isHealthy && !this.isCoolingDown;
  }

  get isCoolingDown(): boolean {
    return this.#cooldown.isActive;
  }

  get height(): number | undefined {
    return this.health.head?.number;
  }

  get heightAt_ms(): number {
    return this.health.headAt_ms;
  }

  get answeredHeight(): number | undefined {
    return this.#answeredHeight;
  }

  get blocks_per_s(): number {
    return this.health.blocks_per_s;
  }

  get breaker(): BreakerState {
    return this.#breaker.state;
  }

  get callsLeftToday(): number | null {
    return this.#budget.callsLeftToday;
  }

  canTake(demand: Demand): boolean {
    return this.#isReadyFor(demand) && this.isAvailable(demand.account);
  }

  /** Whether it has the blocks that a call needs. */
  hasReached({ tip, minHeight, account }: Demand): boolean {
    if ((this.height ?? 0) < minHeight) return false;
    return !(tip && this.#options.isBehind(this, account));
  }

  isUsableBy(account: string | undefined): boolean {
    return this.isHealthy && this.isAvailable(account) && !this.#breaker.failsFor(account);
  }

  failsFor(account: string | undefined): boolean {
    return this.#breaker.state !== 'closed' || this.#breaker.failsFor(account);
  }

  /** Whether cooldown, breaker, queue and budget allow a call of this account. */
  isAvailable(account: string | undefined): boolean {
    return this.#isOpenFor(account) && !this.#isExhausted(account);
  }

  /**
   * Resolves when the node may take a call that it cannot take now; undefined if it should not be waited for. A lost
   * connection is waited for beyond the limit, for two seconds at most.
   */
  waitFor(demand: Demand, limit_ms: number): Promise<void> | undefined {
    const { account } = demand;
    if (this.health.reconnected !== undefined) return this.health.reconnected;
    const isOpen = this.#isReadyFor(demand) && this.#isOpenFor(account);
    const wait_ms = isOpen ? this.#budget.waitOf_ms(account) : undefined;
    if (wait_ms === undefined || wait_ms > limit_ms) return undefined;
    return new Promise((resolve) => void this.#options.startTimer(wait_ms, resolve));
  }

  /** The health of a partner is unknown. */
  #isReadyFor(demand: Demand): boolean {
    return (this.isPartner || this.isHealthy) && this.hasReached(demand);
  }

  #isOpenFor(account: string | undefined): boolean {
    if (this.#cooldown.isActiveFor(account) || !this.#breaker.allows(account)) return false;
    return !this.#queue.isFull(account);
  }

  /** Closes the connections; calls in flight fail. */
  close(): Promise<void> {
    this.#breaker.stop();
    this.#closing.abort();
    return this.config.upstream.close();
  }

  #answersProbe(): Promise<boolean> {
    return answersProbe(this.#probed, this.#closing.signal, this.#options);
  }

  #createCooldown(): Cooldown {
    const { limits, clock, observe } = this.#options;
    return new Cooldown({
      max_ms: limits.upstream_max_cooldown_ms,
      probe: () => this.#answersProbe(),
      monotonic_ms: () => clock.monotonic_ms(),
      onStart: (cooldown_ms) => observe({ kind: 'cooldown', upstream: this.name, cooldown_ms }),
    });
  }

  #createBreaker(): Breaker {
    const { limits, random, startTimer, observe } = this.#options;
    return new Breaker({
      attempts: limits.breaker_attempts,
      failures: limits.breaker_failures,
      open_ms: limits.breaker_open_ms,
      max_open_ms: limits.breaker_max_open_ms,
      probe: () => this.#answersProbe(),
      isPaused: () => this.isCoolingDown,
      startTimer,
      random,
      onChange: (state) => observe({ kind: 'breaker', upstream: this.name, state }),
      onSuccess: () => {
        this.#answeredHeight = this.height;
      },
    });
  }

  #createQueue(upstream: StreamingUpstream): CallQueue {
    const { isPartner, limits, clock } = this.#options;
    const by = { name: this.name, isPartner };
    const attempt = {
      attempt_ms: isPartner ? limits.partner_ms : limits.attempt_ms,
      monotonic_ms: () => clock.monotonic_ms(),
    };
    const timed = withTimeLimit(upstream, attempt);
    const attempts = withBreaker(withTrace(timed, by), {
      ...this.#options,
      by,
      breaker: this.#breaker,
      cooldown: this.#cooldown,
    });
    const { callsInFlight, upstream: opened } = this.config;
    const most = Math.min(limits.upstream_calls_in_flight, opened.slots ?? Infinity);
    const { slots, reserved } = splitSlots(most, callsInFlight);
    return new CallQueue(attempts, {
      in_flight: slots,
      reserved,
      queued: limits.upstream_calls_queued,
      // A node may work on a stream until it has been read. Where others have no slot, it is taken to have finished.
      keepsStreams: reserved > 0,
      ...attempt,
    });
  }

  #isExhausted(account: string | undefined): boolean {
    const { isExhausted, callsLeftToday } = this.#budget;
    if (isExhausted !== this.#wasExhausted) {
      this.#wasExhausted = isExhausted;
      this.#options.observe({ kind: 'budget', upstream: this.name, isExhausted, callsLeftToday });
    }
    return this.#budget.isExhaustedFor(account);
  }
}

/** Whether a node answers a probe. The partner is known to answer only the call that verified its chain. */
async function answersProbe(
  upstream: StreamingUpstream,
  signal: CancelSignal,
  { probes, isPartner }: NodeOptions,
): Promise<boolean> {
  const probe = isPartner ? probes.identity : probes.head;
  try {
    const answer = await probe(upstream, signal);
    return typeof answer === 'string' || !('kind' in answer);
  } catch {
    return false;
  }
}

function createHealth(name: string, upstream: StreamingUpstream, options: NodeOptions): Health {
  const { probes, limits, clock, startTimer, observe, lagOf } = options;
  return new Health({
    startTimer,
    probeHead: (signal) => probes.head(upstream, signal),
    probeFinalized: (signal) => probes.finalized(upstream, signal),
    max_failures: limits.probe_failures,
    probes_per_finalized: limits.probes_per_finalized,
    monotonic_ms: () => clock.monotonic_ms(),
    onChange: (isHealthy, detail) => observe({ kind: 'health', upstream: name, isHealthy, detail }),
    onHead: (head) => observe({ kind: 'head', upstream: name, head, lag: lagOf(head.number) }),
  });
}

function withCooldown(upstream: StreamingUpstream, cooldown: Cooldown): StreamingUpstream {
  return async (call, signal) => {
    const outcome = await upstream(call, signal);
    if (outcome.kind === 'failure') cooldown.apply(outcome);
    return outcome;
  };
}
