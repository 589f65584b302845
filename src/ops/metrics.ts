import { collectDefaultMetrics, Registry } from 'prom-client';
import type { LedgerFigures } from '../credits/lease-ledger.ts';
import { createCallMetrics, type CallMetrics, type CallSources } from './call-metrics.ts';
import { ObservedMetric, type Metric, type MetricDescription } from './metric-types.ts';
import { createLedgerMetrics, createStoreMetrics, type StoreMetrics } from './store-metrics.ts';
import {
  createUpstreamMetrics,
  type ReadCaches,
  type ReadStatus,
  type UpstreamMetrics,
} from './upstream-metrics.ts';

/** Values of the running gateway that are read when metrics are scraped. */
interface MetricSources extends CallSources {
  readonly upstreams: ReadStatus;
  readonly caches: ReadCaches;
  /** Undefined until the store is open. */
  readonly ledger: () => LedgerFigures | undefined;
  readonly isReady: () => boolean;
}

/** Metrics for Prometheus. Label values come from the configuration and the document only. */
export interface Metrics extends CallMetrics, UpstreamMetrics, StoreMetrics {
  /** Specgate's own metrics, without those of the process. */
  readonly described: readonly MetricDescription[];
  /** Returns the text of all metrics, and its media type. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

export function createMetrics({
  upstreams: readUpstreams = () => [],
  caches = () => [],
  callsInFlight = () => [],
  unsent = () => [],
  heldBytes = () => [],
  ledger = () => undefined,
  isReady = () => false,
}: Partial<MetricSources> = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { metrics: ofCalls, ...calls } = createCallMetrics({ callsInFlight, unsent, heldBytes });
  const { metrics: ofUpstreams, ...upstreams } = createUpstreamMetrics(readUpstreams, caches);
  const { metrics: ofStore, ...store } = createStoreMetrics();
  const ready = new ObservedMetric(
    'specgate_ready',
    'Whether the gateway is ready: it serves, every network has an available upstream, and credits are available.',
    [],
    () => [[isReady() ? 1 : 0]],
  );
  const own: readonly Metric[] = [
    ready,
    ...ofCalls,
    ...ofUpstreams,
    ...ofStore,
    ...createLedgerMetrics(ledger),
  ];
  return {
    ...calls,
    ...upstreams,
    ...store,
    described: own.map(({ described }) => described),
    async render() {
      const lines = own.map((metric) => metric.render());
      const text = `${lines.join('\n')}\n${await registry.metrics()}`;
      return { text, contentType: registry.contentType };
    },
  };
}
