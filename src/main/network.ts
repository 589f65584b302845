import type { Limits } from '../config/limits.ts';
import type { NetworkConfig } from '../config/schema.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Clock } from '../time/clock.ts';
import type { NodeConfig } from '../upstream/upstream-node.ts';
import { createNetwork, type Network } from '../upstream/network.ts';
import { openUpstream } from '../upstream/open-upstream.ts';
import type { BudgetLimits } from '../upstream/routing/budget.ts';
import type { BlockParams } from '../upstream/routing/heights.ts';
import { logUpstreamEvent, type Logger } from './logger.ts';

type UpstreamConfig = NetworkConfig['upstreams'][number];

export interface NetworkDependencies {
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Which params of each method name a block, from the document. */
  readonly blockParams: BlockParams;
}

export interface OpenNetwork {
  readonly network: Network;
  /** Why upstreams are unhealthy, by name. */
  readonly unhealthy: ReadonlyMap<string, string>;
}

/** Opens the upstreams of a network, with their events going to the log and the metrics. */
export function openNetwork(config: NetworkConfig, dependencies: NetworkDependencies): OpenNetwork {
  const { limits, metrics, logger, clock, blockParams } = dependencies;
  const { name, family, identity, partner, lagBlocks, hedgeAfterMs } = config;
  const unhealthy = new Map<string, string>();
  const network = createNetwork({
    family,
    identity,
    upstreams: config.upstreams.map((each, index) =>
      upstreamTerms(each, `upstream-${index + 1}`, dependencies),
    ),
    ...(partner && { partner: upstreamTerms(partner, 'partner', dependencies) }),
    ...(lagBlocks === undefined ? {} : { lag_blocks: lagBlocks }),
    ...(hedgeAfterMs === undefined ? {} : { hedge_after_ms: hedgeAfterMs }),
    blockParams,
    limits,
    clock,
    observe(event) {
      if (event.kind === 'health') {
        if (event.isHealthy) unhealthy.delete(event.upstream);
        else unhealthy.set(event.upstream, event.detail);
      }
      metrics.onUpstreamEvent(name, event);
      logUpstreamEvent(name, event, logger);
    },
  });
  return { network, unhealthy };
}

function upstreamTerms(
  { name, weight, tier, budget, url, headers, compression = true }: UpstreamConfig,
  defaultName: string,
  { limits, clock }: NetworkDependencies,
): NodeConfig {
  return {
    name: name ?? defaultName,
    weight,
    tier,
    budget: withoutUndefined(budget),
    upstream: openUpstream({ url: new URL(url), headers, compression }, { limits, clock }),
  };
}

function withoutUndefined({ callsPerSecond, callsPerDay }: UpstreamConfig['budget']): BudgetLimits {
  return {
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(callsPerDay === undefined ? {} : { callsPerDay }),
  };
}
