import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, type Clock } from '../time/clock.ts';
import { startTimer as startSystemTimer, type StartTimer } from '../time/timer.ts';
import type { Observe } from './events.ts';
import { followNodes } from './health/follow-nodes.ts';
import { finalizedByAll, highestHead } from './health/heads.ts';
import { probes, type Family, type Head } from './health/probes.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from './limits.ts';
import { isRetried } from './node-errors.ts';
import type { BreakerState } from './routing/breaker.ts';
import {
  blockNeed,
  demandOf,
  isBehind,
  lagOf,
  type BlockParams,
  type Demand,
} from './routing/heights.ts';
import { routeOver, type RouteOptions } from './routing/route.ts';
import { UpstreamNode, type NodeConfig } from './upstream-node.ts';
import { openCacheServer } from './cache-server.ts';
import {
  wholeResults,
  type NodeAnswer,
  type StreamingUpstream,
  type Upstream,
  type UpstreamCall,
} from './upstream.ts';
import { clearOnReset, ResultCache } from './result-cache.ts';
import { withCache, type CacheOptions, type CacheRules } from './with-cache.ts';
import { withForwarding } from './with-forwarding.ts';

export interface NetworkOptions {
  readonly family: Family;
  /** Chain id or genesis hash; that of the first node to answer when undefined. */
  readonly identity: string | undefined;
  readonly upstreams: readonly NodeConfig[];
  /** Answers calls that may be forwarded when the network's own nodes cannot. */
  readonly partner?: NodeConfig;
  /** Parameters that name blocks; none when absent. */
  readonly blockParams?: BlockParams;
  /**
   * How many blocks a node may be behind the highest one and still be asked for the latest state. By
   * default a few, plus the growth of the chain between two probes.
   */
  readonly lag_blocks?: number;
  /** Which calls are cached or shared; none when absent. */
  readonly cacheRules?: CacheRules;
  /** Where cached results are shared with other gateways; see {@link openCacheServer}. */
  readonly cacheServer?: { readonly url: string; readonly chain: string } | undefined;
  /** Delay before a second node is called alongside a slow one; no second node is called when absent. */
  readonly hedge_after_ms?: number;
  /** Overrides `defaultUpstreamLimits`. */
  readonly limits?: Partial<UpstreamLimits>;
  readonly observe: Observe;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly startTimer?: StartTimer;
}

/** The nodes of a network, which are called as one upstream. */
export interface Network {
  /** Returns whole results. */
  readonly call: Upstream;
  /** Returns large results as streams to calls that accept them. */
  readonly stream: StreamingUpstream;
  /**
   * Returns the head of the healthy node with the most blocks that can be read; undefined when no node is
   * healthy.
   */
  head(): Head | undefined;
  /** Whether a node is healthy and has calls left in its budget of the day. */
  isAvailable(): boolean;
  /** Returns the chain id (decimal) or genesis hash; undefined until it is known. */
  identity(): string | undefined;
  /** Returns how much the cache holds. */
  cache(): { readonly entries: number; readonly bytes: number };
  /** Returns the status of each node, the partner last. */
  status(): readonly UpstreamStatus[];
  /** Starts to follow the nodes; resolves when each has been probed once. */
  start(): Promise<void>;
  /** Stops probing and waits up to `limit_ms` for calls in flight; resolves to whether all of them have ended. */
  drain(limit_ms: number): Promise<boolean>;
  /** Stops probing and closes the connections. */
  stop(): Promise<void>;
}

export interface UpstreamStatus {
  readonly name: string;
  readonly isPartner: boolean;
  readonly tier: number;
  /** Always false for the partner, which is not probed. */
  readonly isHealthy: boolean;
  readonly breaker: BreakerState;
  readonly head: Head | undefined;
  readonly inFlight: number;
  readonly callsLeftToday: number | null;
}

interface ResolvedOptions extends NetworkOptions {
  readonly blockParams: BlockParams;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly startTimer: StartTimer;
}

const DRAIN_STEP_MS = 20;

/** The usual difference between the heights of nodes of a family, in blocks or slots. */
const usualLag: Readonly<Record<Family, number>> = { evm: 2, svm: 16 };

export function createNetwork(given: NetworkOptions): Network {
  const options: ResolvedOptions = {
    blockParams: {},
    clock: systemClock,
    random: Math.random,
    startTimer: startSystemTimer,
    ...given,
    limits: { ...defaultUpstreamLimits, ...given.limits },
  };
  const { clock, observe } = options;
  const cache = new ResultCache(options.limits.cache_bytes);
  const server = options.cacheServer && openCacheServer({ ...options, ...options.cacheServer });
  const finalized = clearOnReset([cache, server], () => finalizedByAll(nodes));
  const { nodes, partner } = createNodes({
    ...options,
    observe(event) {
      observe(event);
      if (event.kind === 'head') finalized();
    },
  });
  const all = partner === undefined ? nodes : [...nodes, partner];
  const upstream = routeAndForward(nodes, partner, options);
  const call = cached(upstream, nodes, { cache, server, finalized }, options);
  const follower = followNodes(all, options);
  return {
    call: wholeResults(call),
    stream: call,
    head: () => highestHead(nodes),
    isAvailable: () => nodes.some((node) => node.isHealthy && node.callsLeftToday !== 0),
    identity: () => follower.identity(),
    cache: () => ({ entries: cache.entries, bytes: cache.bytes }),
    status: () => all.map(statusOf),
    start: () => follower.start(),
    async drain(limit_ms) {
      await follower.stop();
      const ends_ms = clock.monotonic_ms() + limit_ms;
      const isBusy = (): boolean => all.some((node) => node.isBusy);
      while (isBusy() && clock.monotonic_ms() < ends_ms) await wait(DRAIN_STEP_MS);
      return !isBusy();
    },
    async stop() {
      await follower.stop();
      await Promise.all([server?.close(), ...all.map((node) => node.close())]);
    },
  };
}

function createNodes(options: ResolvedOptions): {
  readonly nodes: readonly UpstreamNode[];
  readonly partner: UpstreamNode | undefined;
} {
  const { family, clock, lag_blocks, upstreams, partner } = options;
  const lag = {
    lag_blocks: lag_blocks ?? usualLag[family],
    allowsGrowth: lag_blocks === undefined,
  };
  const create = (config: NodeConfig, isPartner: boolean): UpstreamNode =>
    new UpstreamNode(config, {
      ...options,
      isPartner,
      probes: probes[family],
      lagOf: (height) => lagOf(height, nodes),
      isBehind: (node, account) =>
        nodes.length > 1 &&
        isBehind(node, nodes, { ...lag, account, now_ms: clock.monotonic_ms() }),
    });
  const nodes: readonly UpstreamNode[] = upstreams.map((config) => create(config, false));
  return { nodes, partner: partner && create(partner, true) };
}

/** Combines the nodes of a network, and the partner behind them, into one upstream. */
function routeAndForward(
  nodes: readonly UpstreamNode[],
  partner: UpstreamNode | undefined,
  options: ResolvedOptions,
): StreamingUpstream {
  const { family, hedge_after_ms, limits, observe, clock, startTimer } = options;
  const { call_deadline_ms, partner_ms, max_attempts } = limits;
  const mayForward = ({ forwarding }: UpstreamCall): boolean =>
    partner !== undefined && forwarding === 'included';
  const shared: Omit<RouteOptions, 'deadlineOf' | 'demandOf' | 'waitForNode'> = {
    family,
    max_attempts,
    hedge_after_ms,
    startTimer,
    monotonic_ms: () => clock.monotonic_ms(),
    onRetry: ({ name }, { method }, cause) =>
      observe({ kind: 'retry', upstream: name, method, cause }),
    onHedge: ({ name }, { method }) => observe({ kind: 'hedge', upstream: name, method }),
  };
  const own = routeOver(nodes, {
    ...shared,
    deadlineOf: (call) =>
      mayForward(call) ? Math.max(1, call_deadline_ms - partner_ms) : call_deadline_ms,
    demandOf: (call) => demandFor(call, nodes, options),
    // The partner responds sooner.
    waitForNode: (call, demand, limit_ms) =>
      mayForward(call) ? undefined : waitForNode(nodes, demand, limit_ms),
  });
  if (partner === undefined) return own;
  return withForwarding(own, {
    observe,
    monotonic_ms: shared.monotonic_ms,
    partner: routeOver([partner], {
      ...shared,
      hedge_after_ms: undefined,
      deadlineOf: () => call_deadline_ms,
      demandOf: ({ account }) => ({ tip: false, minHeight: 0, account }),
      waitForNode: (_, demand, limit_ms) => partner.waitFor(demand, limit_ms),
    }),
  });
}

/** Returns what a call demands of the node that answers it. */
function demandFor(
  call: UpstreamCall,
  nodes: readonly UpstreamNode[],
  { blockParams, limits: { height_memory_ms }, clock }: ResolvedOptions,
): Demand {
  const { account } = call;
  const need = blockNeed(blockParams, call);
  if (need.height === 0) return { tip: need.tip, minHeight: 0, account };
  return demandOf(need, nodes, { account, height_memory_ms, now_ms: clock.monotonic_ms() });
}

function cached(
  upstream: StreamingUpstream,
  nodes: readonly UpstreamNode[],
  given: Pick<CacheOptions, 'cache' | 'server' | 'finalized'>,
  options: ResolvedOptions,
): StreamingUpstream {
  const { cacheRules, startTimer, observe } = options;
  if (cacheRules === undefined) return upstream;
  return withCache(upstream, {
    ...cacheRules,
    ...given,
    head: () => highestHead(nodes)?.number,
    mayShare: (call, answer) => mayShare(call, answer, nodes, options),
    monotonic_ms: () => options.clock.monotonic_ms(),
    startTimer,
    observe,
  });
}

/**
 * Whether the answer to another caller's call is the one that this call would get. The other call is not
 * retried if its caller has left. It may also be answered by a node that is too far behind for this call,
 * or by the partner because the network's own nodes fail for its account.
 */
function mayShare(
  call: UpstreamCall,
  answer: NodeAnswer,
  nodes: readonly UpstreamNode[],
  options: ResolvedOptions,
): boolean {
  if (answer.kind === 'error' && isRetried(options.family, answer.error)) return false;
  const { by } = answer;
  if (by === undefined || by.isPartner) return false;
  const node = nodes.find(({ name }) => name === by.name);
  return node?.hasReached(demandFor(call, nodes, options)) === true;
}

/** See {@link RouteOptions.waitForNode}. */
function waitForNode(
  nodes: readonly UpstreamNode[],
  demand: Demand,
  limit_ms: number,
): Promise<void> | undefined {
  const waits = nodes.flatMap((node) => node.waitFor(demand, limit_ms) ?? []);
  return waits.length === 0 ? undefined : Promise.race(waits);
}

function statusOf(node: UpstreamNode): UpstreamStatus {
  const { name, isPartner, tier, isHealthy, breaker, health, inFlight, callsLeftToday } = node;
  return { name, isPartner, tier, isHealthy, breaker, head: health.head, inFlight, callsLeftToday };
}
