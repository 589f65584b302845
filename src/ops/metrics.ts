import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { Durations } from './durations.ts';
import { Tally } from './tally.ts';

/** A call, when it has ended. */
export interface CallSample {
  readonly network: string;
  /** Null when there is no such method: names from outside never become labels. */
  readonly method: string | null;
  /** `ok`, or the reason of the error. */
  readonly outcome: string;
  readonly credits: number;
  readonly duration_ms: number;
}

/** Counts what happens, for Prometheus. Labels come from the configuration and the document only. */
export interface Metrics {
  onCall(sample: CallSample): void;
  onUpstreamOutcome(network: string, upstream: string, outcome: string): void;
  onUpstreamHealth(network: string, upstream: string, isFit: boolean): void;
  onHead(network: string, upstream: string, number: number): void;
  onConnection(network: string, transport: string, change: 1 | -1): void;
  /** A result was held to the document: `checked`, `violation` or `skipped`. */
  onContractCheck(network: string, upstream: string, outcome: string): void;
  onStoreFailure(): void;
  /** The text of all metrics, and its media type. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

const NETWORK = 'network';
const UPSTREAM_LABELS = [NETWORK, 'upstream'];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Tally(
    'specgate_calls_total',
    'Calls, by how they ended: ok, or the reason of the error.',
    [NETWORK, 'method', 'outcome'],
  );
  const durations = new Durations(
    'specgate_call_duration_seconds',
    'Time from reading a call to its answer.',
  );
  const credits = new Tally('specgate_credits_charged_total', 'Credits charged.', [
    NETWORK,
    'method',
  ]);
  const upstreamCalls = new Tally(
    'specgate_upstream_calls_total',
    'Calls to upstreams, by outcome: result, error (of the node), or the cause of a failure.',
    [...UPSTREAM_LABELS, 'outcome'],
  );
  const health = new Gauge({
    name: 'specgate_upstream_healthy',
    help: 'Whether an upstream is fit to be asked.',
    labelNames: UPSTREAM_LABELS,
    registers,
  });
  const heads = new Gauge({
    name: 'specgate_upstream_head',
    help: 'Newest block or slot of an upstream.',
    labelNames: UPSTREAM_LABELS,
    registers,
  });
  const connections = new Gauge({
    name: 'specgate_connections',
    help: 'Open connections of callers; a WebSocket counts under both.',
    labelNames: [NETWORK, 'transport'],
    registers,
  });
  const contract = new Tally(
    'specgate_contract_checks_total',
    'Results held to the document: checked, violation or skipped.',
    [...UPSTREAM_LABELS, 'outcome'],
  );
  const storeFailures = new Counter({
    name: 'specgate_store_failures_total',
    help: 'Readings and writings of the store that failed.',
    registers,
  });
  return {
    onCall({ network, method, outcome, credits: charged, duration_ms }) {
      const name = method ?? 'unknown';
      calls.add(1, [network, name, outcome]);
      durations.observe(duration_ms, network, name);
      if (charged > 0) credits.add(charged, [network, name]);
    },
    onUpstreamOutcome: (network, upstream, outcome) =>
      upstreamCalls.add(1, [network, upstream, outcome]),
    onUpstreamHealth: (network, upstream, isFit) =>
      health.set({ network, upstream }, isFit ? 1 : 0),
    onHead: (network, upstream, number) => heads.set({ network, upstream }, number),
    onConnection: (network, transport, change) => connections.inc({ network, transport }, change),
    onContractCheck: (network, upstream, outcome) => contract.add(1, [network, upstream, outcome]),
    onStoreFailure: () => storeFailures.inc(),
    async render() {
      const own = [calls, durations, credits, upstreamCalls, contract].map((metric) =>
        metric.render(),
      );
      const text = `${own.join('\n')}\n${await registry.metrics()}`;
      return { text, contentType: registry.contentType };
    },
  };
}
