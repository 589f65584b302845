import type { Limits } from '../config/limits.ts';
import type { NetworkConfig } from '../config/schema.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Clock } from '../time/clock.ts';
import { createNetwork, type Network } from '../upstream/network.ts';
import { openUpstream } from '../upstream/open-upstream.ts';
import type { NodeConfig } from '../upstream/upstream-node.ts';
import type { BudgetLimits } from '../upstream/routing/budget.ts';
import type { BlockParams } from '../upstream/routing/heights.ts';
import { logUpstreamEvent } from './log-upstream-event.ts';
import type { Logger } from './logger.ts';

type UpstreamConfig = NetworkConfig['upstreams'][number];

interface OpeningOptions {
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where the params of each method name a block, as the document says. */
  readonly blockParams: BlockParams;
}

/** A network, and what keeps its upstreams from being asked. */
export interface OpenedNetwork {
  readonly network: Network;
  /** Why upstreams are not fit, by their names. */
  readonly troubles: ReadonlyMap<string, string>;
}

/** The upstreams of a configured network; what happens to them goes to log and metrics. */
export function openNetwork(
  config: NetworkConfig,
  { limits, metrics, logger, clock, blockParams }: OpeningOptions,
): OpenedNetwork {
  const name = config.name;
  const troubles = new Map<string, string>();
  const enlist = (settings: UpstreamConfig, fallback: string): NodeConfig => ({
    name: settings.name ?? fallback,
    weight: settings.weight,
    tier: settings.tier,
    budget: withoutUndefined(settings.budget),
    upstream: openUpstream(
      {
        url: new URL(settings.url),
        headers: settings.headers,
        compression: settings.compression ?? true,
      },
      { limits, clock },
    ),
  });
  const { partner, lagBlocks, hedgeAfterMs } = config;
  const network = createNetwork({
    family: config.family,
    identity: config.identity,
    upstreams: config.upstreams.map((each, index) => enlist(each, `upstream-${index + 1}`)),
    ...(partner === undefined ? {} : { partner: enlist(partner, 'partner') }),
    ...(lagBlocks === undefined ? {} : { lag_blocks: lagBlocks }),
    ...(hedgeAfterMs === undefined ? {} : { hedge_after_ms: hedgeAfterMs }),
    blockParams,
    limits,
    clock,
    observe(event) {
      if (event.kind === 'health') {
        if (event.isHealthy) troubles.delete(event.upstream);
        else troubles.set(event.upstream, event.detail);
      }
      metrics.onUpstreamEvent(name, event);
      logUpstreamEvent(name, event, logger);
    },
  });
  return { network, troubles };
}

function withoutUndefined(budget: UpstreamConfig['budget']): BudgetLimits {
  const { callsPerSecond, callsPerDay } = budget;
  return {
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(callsPerDay === undefined ? {} : { callsPerDay }),
  };
}
