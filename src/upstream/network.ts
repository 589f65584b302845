import { every, type Periodic } from '../time/periodic.ts';
import { withFailover, type Candidate } from './failover.ts';
import { Health } from './health.ts';
import { probes, type Family, type Head } from './probes.ts';
import type { Upstream, UpstreamOutcome } from './upstream.ts';
import { withBound } from './with-bound.ts';
import { withTimeLimit, withTimeout, type TimedUpstream } from './with-timeout.ts';

export interface UpstreamLimits {
  readonly call_deadline_ms: number;
  readonly try_ms: number;
  readonly most_tries: number;
  readonly upstream_calls_in_flight: number;
  readonly probe_interval_ms: number;
  readonly probe_ms: number;
  readonly probe_failures: number;
}

export interface NetworkOptions {
  readonly family: Family;
  /** Chain id (decimal) or genesis hash; undefined: that of the first upstream to answer. */
  readonly identity: string | undefined;
  readonly upstreams: readonly {
    readonly name: string;
    readonly weight: number;
    readonly call: Upstream;
    close(): Promise<void>;
  }[];
  readonly limits: UpstreamLimits;
  readonly monotonic_ms: () => number;
  readonly watcher: NetworkWatcher;
}

/** Told what happens, for logs and metrics. */
export interface NetworkWatcher {
  onOutcome(upstream: string, outcome: UpstreamOutcome): void;
  onHealth(upstream: string, isFit: boolean, detail: string): void;
  onHead(upstream: string, head: Head): void;
}

/** A network's upstreams behind one function. */
export interface Network {
  readonly call: Upstream;
  /** The newest head among fit upstreams; undefined when none is fit. */
  head(): Head | undefined;
  /** Begins to follow the upstreams; resolves when each has been asked once. */
  start(): Promise<void>;
  /** Stops following and closes the upstreams. */
  stop(): Promise<void>;
}

interface Member extends Candidate {
  readonly name: string;
  readonly health: Health;
}

export function createNetwork(options: NetworkOptions): Network {
  const { family, limits, watcher } = options;
  let identity = options.identity;
  const belongs = (claimed: string): boolean => {
    identity ??= claimed;
    return identity === claimed;
  };
  const members = options.upstreams.map(({ name, weight, call }): Member => {
    const bounded = withBound(call, limits.upstream_calls_in_flight);
    const watched = watch(withTimeLimit(bounded), (outcome) => watcher.onOutcome(name, outcome));
    const health = new Health({
      probes: probes[family],
      upstream: withTimeout(call, limits.probe_ms),
      most_failures: limits.probe_failures,
      belongs,
      onChange: (isFit, detail) => watcher.onHealth(name, isFit, detail),
    });
    return {
      name,
      weight,
      call: watched,
      health,
      inFlight: 0,
      isFit: () => health.head !== undefined,
    };
  });
  const stopping = new AbortController();
  const check = async ({ name, health }: Member): Promise<void> => {
    await health.check(stopping.signal);
    if (health.head !== undefined) watcher.onHead(name, health.head);
  };
  let following: readonly Periodic[] = [];
  return {
    call: withFailover(members, {
      family,
      most_tries: limits.most_tries,
      try_ms: limits.try_ms,
      deadline_ms: limits.call_deadline_ms,
      monotonic_ms: options.monotonic_ms,
    }),
    head: () => newest(members),
    async start() {
      await Promise.all(members.map(check));
      following = members.map((member) =>
        every(
          limits.probe_interval_ms,
          () => check(member),
          (error) => {
            watcher.onHealth(member.name, false, String(error));
          },
        ),
      );
    },
    async stop() {
      stopping.abort();
      await Promise.all(following.map((periodic) => periodic.stop()));
      await Promise.all(options.upstreams.map((upstream) => upstream.close()));
    },
  };
}

function newest(members: readonly Member[]): Head | undefined {
  let best: Head | undefined;
  for (const { health } of members) {
    const { head } = health;
    if (head !== undefined && (best === undefined || head.number > best.number)) best = head;
  }
  return best;
}

function watch(
  upstream: TimedUpstream,
  onOutcome: (outcome: UpstreamOutcome) => void,
): TimedUpstream {
  return (call, signal, limit_ms) =>
    upstream(call, signal, limit_ms).then((outcome) => {
      onOutcome(outcome);
      return outcome;
    });
}
