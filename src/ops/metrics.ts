import { collectDefaultMetrics, Registry } from 'prom-client';
import type { LedgerFigures } from '../credits/lease-ledger.ts';
import { countCallers, type CallMetrics, type CallSources } from './call-metrics.ts';
import type { Described, Family } from './exposition.ts';
import { Reading } from './reading.ts';
import { countStore, readLedger, type StoreMetrics } from './store-metrics.ts';
import { countUpstreams, type ReadStatus, type UpstreamMetrics } from './upstream-metrics.ts';

/** What is read of the running gateway when metrics are asked for. */
export interface Sources extends CallSources {
  readonly upstreams: ReadStatus;
  /** Undefined before there is a ledger. */
  readonly ledger: () => LedgerFigures | undefined;
  readonly isReady: () => boolean;
}

/** Counts what happens, for Prometheus. Labels come from the configuration and the document only. */
export interface Metrics extends CallMetrics, UpstreamMetrics, StoreMetrics {
  /** From now on what is told of the running gateway is read from `sources`. */
  read(sources: Partial<Sources>): void;
  /** Specgate's own metrics; those of the process are beside them. */
  readonly described: readonly Described[];
  /** The text of all metrics, and its media type. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  let sources: Sources = {
    upstreams: () => [],
    callsInFlight: () => [],
    unsent: () => [],
    ledger: () => undefined,
    isReady: () => false,
  };
  const { families: ofCallers, ...callers } = countCallers({
    callsInFlight: () => sources.callsInFlight(),
    unsent: () => sources.unsent(),
  });
  const { families: ofUpstreams, ...upstreams } = countUpstreams(() => sources.upstreams());
  const { families: ofStore, ...store } = countStore();
  const ready = new Reading(
    {
      name: 'specgate_ready',
      help: 'Whether the gateway is ready: it serves, every network has a fit upstream, and credits can be had.',
    },
    () => [[sources.isReady() ? 1 : 0]],
  );
  const families: readonly Family[] = [
    ready,
    ...ofCallers,
    ...ofUpstreams,
    ...ofStore,
    ...readLedger(() => sources.ledger()),
  ];
  return {
    ...callers,
    ...upstreams,
    ...store,
    described: families.map(({ described }) => described),
    read(told) {
      sources = { ...sources, ...told };
    },
    async render() {
      const own = families.map((family) => family.render());
      const text = `${own.join('\n')}\n${await registry.metrics()}`;
      return { text, contentType: registry.contentType };
    },
  };
}
