import type { Limits } from '../config/limits.ts';
import type { NetworkConfig } from '../config/schema.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Clock } from '../time/clock.ts';
import { createNetwork, type Network } from '../upstream/network.ts';
import { openUpstream } from '../upstream/open-upstream.ts';
import type { Logger } from './logger.ts';

/** The upstreams of a configured network; what happens to them goes to log and metrics. */
export function openNetwork(
  config: NetworkConfig,
  {
    limits,
    metrics,
    logger,
    clock,
  }: { limits: Limits; metrics: Metrics; logger: Logger; clock: Clock },
): Network {
  const network = config.name;
  return createNetwork({
    family: config.family,
    identity: config.identity,
    upstreams: config.upstreams.map(({ name, url, headers, weight }, index) => ({
      name: name ?? `upstream-${index + 1}`,
      weight,
      upstream: openUpstream({ url: new URL(url), headers }, { limits, clock }),
    })),
    limits,
    clock,
    observe(event) {
      switch (event.kind) {
        case 'outcome': {
          const { upstream, outcome, detail } = event;
          metrics.onUpstreamOutcome(network, upstream, outcome);
          if (detail === '' || outcome === 'aborted') return;
          return logger.warn(
            { network, upstream, cause: outcome, detail },
            'an upstream failed a call',
          );
        }
        case 'fitness': {
          const { upstream, isFit, detail } = event;
          metrics.onUpstreamHealth(network, upstream, isFit);
          if (isFit) return logger.info({ network, upstream }, 'an upstream is fit');
          return logger.warn({ network, upstream, detail }, 'an upstream is unfit');
        }
        case 'head':
          return metrics.onHead(network, event.upstream, event.head.number);
        default:
          return undefined;
      }
    },
  });
}
