import type { CallEvent } from '../rpc/answer-call.ts';
import {
  Counter,
  DurationHistogram,
  ObservedMetric,
  type Metric,
  type Sample,
} from './metric-types.ts';

/** A call that has ended. The method is null if unknown: names chosen by callers never become labels. */
type CallSample = Omit<CallEvent<unknown>, 'caller' | 'requestId'> & { readonly network: string };

/** Counts what callers do, and how it ends. */
export interface CallMetrics {
  onCall(sample: CallSample): void;
  onBatch(network: string, calls: number): void;
  /** Counts a request that was rejected as a whole, before any of its calls was read. */
  onRefusal(network: string, reason: string): void;
  onConnection(network: string, transport: string, change: 1 | -1): void;
  /** Counts a connection that was cut. */
  onCut(network: string, cause: string): void;
}

/** Values of the running gateway that are read when metrics are scraped. */
export interface CallSources {
  /** By network. */
  readonly callsInFlight: () => Iterable<Sample>;
  /** Bytes of responses that clients have not read yet, by holder. */
  readonly unsent: () => Iterable<Sample>;
  /** Bytes held for calls in progress. */
  readonly heldBytes: () => Iterable<Sample>;
}

const NETWORK = 'network';

export function createCallMetrics({
  callsInFlight,
  unsent,
  heldBytes,
}: CallSources): CallMetrics & {
  readonly metrics: readonly Metric[];
} {
  const openConnections = new Map<string, Map<string, number>>();
  const metrics = {
    calls: new Counter(
      'specgate_calls_total',
      'Completed calls, by outcome: ok, or the reason of the error.',
      [NETWORK, 'method', 'outcome'],
    ),
    durations: new DurationHistogram(
      'specgate_call_duration_seconds',
      'Time from reading a call to sending its response.',
      [NETWORK, 'method'],
    ),
    inFlight: new ObservedMetric(
      'specgate_calls_in_flight',
      'Calls received and not completed yet.',
      [NETWORK],
      callsInFlight,
    ),
    credits: new Counter('specgate_credits_charged_total', 'Credits charged.', [NETWORK, 'method']),
    batches: new Counter('specgate_batches_total', 'Batches received.', [NETWORK]),
    batchedCalls: new Counter('specgate_batched_calls_total', 'Calls received in batches.', [
      NETWORK,
    ]),
    refusals: new Counter(
      'specgate_requests_rejected_total',
      'HTTP requests, WebSocket upgrades and messages rejected as a whole, by the reason of the error.',
      [NETWORK, 'reason'],
    ),
    connections: new ObservedMetric(
      'specgate_connections',
      'Open client connections; a WebSocket counts under both transports.',
      [NETWORK, 'transport'],
      function* read() {
        for (const [network, transports] of openConnections) {
          for (const [transport, count] of transports) yield [count, network, transport];
        }
      },
    ),
    cuts: new Counter(
      'specgate_connections_cut_total',
      'Connections cut because of unread responses, unfinished messages or too many unanswered requests, by cause: stalled, pipelined, caller_limit or total_limit.',
      [NETWORK, 'cause'],
    ),
    unsentBytes: new ObservedMetric(
      'specgate_unsent_bytes',
      'Bytes of responses that clients have not read yet, by holder: accounts, or anonymous (no valid key). Excludes calls in progress (specgate_calls_held_bytes).',
      ['holder'],
      unsent,
    ),
    heldBytes: new ObservedMetric(
      'specgate_calls_held_bytes',
      'Bytes held for calls in progress: requests, partial WebSocket messages and responses of incomplete batches.',
      [],
      heldBytes,
    ),
  };
  return {
    metrics: Object.values(metrics),
    onCall({ network, method, outcome, credits, duration_ms }) {
      const name = method ?? 'unknown';
      metrics.calls.add(1, network, name, outcome);
      metrics.durations.observe(duration_ms, network, name);
      if (credits > 0) metrics.credits.add(credits, network, name);
    },
    onBatch(network, size) {
      metrics.batches.add(1, network);
      metrics.batchedCalls.add(size, network);
    },
    onRefusal: (network, reason) => metrics.refusals.add(1, network, reason),
    onCut: (network, cause) => metrics.cuts.add(1, network, cause),
    onConnection(network, transport, change) {
      const transports = openConnections.get(network) ?? new Map<string, number>();
      openConnections.set(
        network,
        transports.set(transport, (transports.get(transport) ?? 0) + change),
      );
    },
  };
}
