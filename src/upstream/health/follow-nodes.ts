import { every, type Periodic } from '../../time/periodic.ts';
import type { Observe } from '../events.ts';
import type { UpstreamLimits } from '../limits.ts';
import type { ConnectionGuard } from '../upstream.ts';
import type { NodeConfig, UpstreamNode } from '../upstream-node.ts';
import { withTimeout } from '../with-timeout.ts';
import { ChainIdentity } from './chain-identity.ts';
import { probes, type Family } from './probes.ts';

export interface FollowOptions {
  readonly family: Family;
  readonly identity: string | undefined;
  readonly limits: UpstreamLimits;
  readonly observe: Observe;
}

export interface Follower {
  /** Opens the connections of the nodes; resolves when each node has been probed once. */
  start(): Promise<void>;
  /** Returns the chain id (decimal) or genesis hash of the network; undefined until it is known. */
  identity(): string | undefined;
  /** Stops probing; resolves when no probe is in progress. */
  stop(): Promise<void>;
}

/** The part of a budget that periodic probes may spend, so that it suffices for calls. */
const PROBED_PART = 1 / 5;

/** Nodes are probed once per minute even if their budgets are tiny. */
const MAX_INTERVAL_MS = 60_000;

const DAY_S = 86_400;

/** Verifies the chain of each node when it connects, and probes its health periodically. */
export function followNodes(
  nodes: readonly UpstreamNode[],
  { family, identity, limits, observe }: FollowOptions,
): Follower {
  const chain = new ChainIdentity(family, identity);
  const stopping = new AbortController();
  const { signal } = stopping;
  const following: Periodic[] = [];
  let isStarted = false;
  const guardOf = ({ name, health, isPartner }: UpstreamNode): ConnectionGuard => ({
    verify: (upstream) =>
      chain.verify(withTimeout(upstream, limits.probe_ms), {
        probes: probes[family],
        signal,
        decides: !isPartner,
      }),
    onReady(isReady, detail) {
      if (isPartner || signal.aborted) return;
      if (!isReady) health.lose(detail);
      else if (isStarted) void health.check(signal);
    },
    onDropped: (detail) => observe({ kind: 'dropped', upstream: name, detail }),
  });
  const follow = async (node: UpstreamNode): Promise<void> => {
    const { config, health, isPartner } = node;
    await config.upstream.start(guardOf(node));
    if (isPartner) return;
    await health.check(signal);
    if (signal.aborted) return;
    const interval_ms = probeInterval(config, limits);
    const check = async (): Promise<void> => {
      if (!node.isCoolingDown) await health.check(signal);
    };
    following.push(every(interval_ms, check, (error) => health.lose(String(error))));
  };
  return {
    async start() {
      await Promise.all(nodes.map(follow));
      isStarted = true;
    },
    identity: () => chain.value,
    async stop() {
      stopping.abort();
      await Promise.all(following.map((periodic) => periodic.stop()));
    },
  };
}

/** Returns the time between two probes of a node, in milliseconds. */
export function probeInterval(
  { budget = {} }: Pick<NodeConfig, 'budget'>,
  { probe_interval_ms }: UpstreamLimits,
): number {
  const { callsPerSecond = Infinity, callsPerDay = Infinity } = budget;
  const probesPerSecond = PROBED_PART * Math.min(callsPerSecond, callsPerDay / DAY_S);
  const affordable_ms = Math.min(1000 / probesPerSecond, MAX_INTERVAL_MS);
  return Math.max(probe_interval_ms, affordable_ms);
}
