import type { Limits } from '../config/limits.ts';
import type { NetworkConfig } from '../config/schema.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Clock } from '../time/clock.ts';
import { openHttpUpstream } from '../upstream/http-upstream.ts';
import { createNetwork, type Network } from '../upstream/network.ts';
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
    upstreams: config.upstreams.map(({ name, url, headers, weight }, index) => {
      const upstream = openHttpUpstream({
        url: new URL(url),
        headers,
        connections: limits.upstream_connections,
        connect_ms: limits.upstream_connect_ms,
        response_bytes: limits.response_bytes,
        response_depth: limits.response_depth,
      });
      return { name: name ?? `upstream-${index + 1}`, weight, ...upstream };
    }),
    limits,
    monotonic_ms: () => clock.monotonic_ms(),
    watcher: {
      onOutcome(upstream, outcome) {
        const label = outcome.kind === 'failure' ? outcome.cause : outcome.kind;
        metrics.onUpstreamOutcome(network, upstream, label);
        if (outcome.kind === 'failure' && outcome.cause !== 'aborted') {
          const { cause, detail } = outcome;
          logger.warn({ network, upstream, cause, detail }, 'an upstream failed a call');
        }
      },
      onHealth(upstream, isFit, detail) {
        metrics.onUpstreamHealth(network, upstream, isFit);
        if (isFit) logger.info({ network, upstream }, 'an upstream is fit');
        else logger.warn({ network, upstream, detail }, 'an upstream is unfit');
      },
      onHead: (upstream, { number }) => metrics.onHead(network, upstream, number),
    },
  });
}
