import type { Protocol } from '../gateway/protocol.ts';
import { createMonitor, type Monitor } from '../monitor/monitor.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Logger } from './logger.ts';

interface WatchOptions {
  readonly protocol: Protocol;
  /** Of all results, how many are checked: 0 none, 1 all. */
  readonly share: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Holds a share of a network's live results to the document; what breaks it is logged and counted. */
export function watchContract(
  network: string,
  { protocol, share, metrics, logger }: WatchOptions,
): Monitor {
  return createMonitor({
    checks: protocol.validateResult,
    share,
    observe(event) {
      const { kind, method, upstream } = event;
      metrics.onContractCheck(network, upstream, kind);
      if (event.kind !== 'violation' || event.isRepeat) return;
      const { violations } = event;
      logger.warn({ network, upstream, method, violations }, 'a result breaks the document');
    },
  });
}
