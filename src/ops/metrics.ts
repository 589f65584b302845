import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const NETWORK = 'network';

/** A call, when it has ended. */
export interface CallSample {
  readonly network: string;
  /** Null when there is no such method: names from outside never become labels. */
  readonly method: string | null;
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
  onStoreFailure(): void;
  /** The text of all metrics, and its media type. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** From a millisecond to the longest a call may take. */
const DURATIONS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'specgate_calls_total',
    help: 'Calls, by how they ended: ok, or the reason of the error.',
    labelNames: [NETWORK, 'method', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'specgate_call_duration_seconds',
    help: 'Time from reading a call to its answer.',
    labelNames: [NETWORK, 'method'],
    buckets: DURATIONS_S,
    registers,
  });
  const credits = new Counter({
    name: 'specgate_credits_charged_total',
    help: 'Credits charged.',
    labelNames: [NETWORK, 'method'],
    registers,
  });
  const upstreamOutcomes = new Counter({
    name: 'specgate_upstream_calls_total',
    help: 'Calls to upstreams, by outcome: result, error (of the node), or the cause of a failure.',
    labelNames: [NETWORK, 'upstream', 'outcome'],
    registers,
  });
  const health = new Gauge({
    name: 'specgate_upstream_healthy',
    help: 'Whether an upstream is fit to be asked.',
    labelNames: [NETWORK, 'upstream'],
    registers,
  });
  const heads = new Gauge({
    name: 'specgate_upstream_head',
    help: 'Newest block or slot of an upstream.',
    labelNames: [NETWORK, 'upstream'],
    registers,
  });
  const connections = new Gauge({
    name: 'specgate_connections',
    help: 'Open connections of callers; a WebSocket counts under both.',
    labelNames: [NETWORK, 'transport'],
    registers,
  });
  const storeFailures = new Counter({
    name: 'specgate_store_failures_total',
    help: 'Readings and writings of the store that failed.',
    registers,
  });
  // Looking a child up by its labels costs more than counting, so the children are kept.
  const recorders = new Map<string, Recorder>();
  const recorderFor = (network: string, method: string): Recorder => {
    const key = `${network} ${method}`;
    let recorder = recorders.get(key);
    if (recorder === undefined) {
      recorder = {
        duration: durations.labels(network, method),
        credits: credits.labels(network, method),
        outcomes: new Map(),
      };
      recorders.set(key, recorder);
    }
    return recorder;
  };
  return {
    onCall({ network, method, outcome, credits: charged, duration_ms }) {
      const name = method ?? 'unknown';
      const recorder = recorderFor(network, name);
      let counter = recorder.outcomes.get(outcome);
      if (counter === undefined) {
        counter = calls.labels(network, name, outcome);
        recorder.outcomes.set(outcome, counter);
      }
      counter.inc();
      recorder.duration.observe(duration_ms / 1000);
      if (charged > 0) recorder.credits.inc(charged);
    },
    onUpstreamOutcome: (network, upstream, outcome) =>
      upstreamOutcomes.inc({ network, upstream, outcome }),
    onUpstreamHealth: (network, upstream, isFit) =>
      health.set({ network, upstream }, isFit ? 1 : 0),
    onHead: (network, upstream, number) => heads.set({ network, upstream }, number),
    onConnection: (network, transport, change) => connections.inc({ network, transport }, change),
    onStoreFailure: () => storeFailures.inc(),
    async render() {
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

interface Recorder {
  readonly duration: Pick<Histogram.Internal<string>, 'observe'>;
  readonly credits: Pick<Counter.Internal, 'inc'>;
  readonly outcomes: Map<string, Pick<Counter.Internal, 'inc'>>;
}
