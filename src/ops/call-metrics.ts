import { Durations } from './durations.ts';
import type { Family } from './exposition.ts';
import { Reading, type Sample } from './reading.ts';
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

/** What callers do, and how they are answered. */
export interface CallMetrics {
  onCall(sample: CallSample): void;
  /** A batch of so many calls. */
  onBatch(network: string, calls: number): void;
  /** A request was refused as a whole, before any call of it was looked at. */
  onRefusal(network: string, reason: string): void;
  onConnection(network: string, transport: string, change: 1 | -1): void;
  /** A connection was cut for answers it did not take. */
  onCut(network: string, cause: string): void;
}

/** What is read of the running gateway when metrics are asked for. */
export interface CallSources {
  /** By network. */
  readonly callsInFlight: () => Iterable<Sample>;
  /** Bytes of answers not taken, by holder. */
  readonly unsent: () => Iterable<Sample>;
}

const NETWORK = 'network';

export function countCallers({ callsInFlight, unsent }: CallSources): CallMetrics & {
  readonly families: readonly Family[];
} {
  const calls = new Tally(
    'specgate_calls_total',
    'Calls, by how they ended: ok, or the reason of the error.',
    [NETWORK, 'method', 'outcome'],
  );
  const durations = new Durations(
    'specgate_call_duration_seconds',
    'Time from reading a call to its answer.',
    [NETWORK, 'method'],
  );
  const credits = new Tally('specgate_credits_charged_total', 'Credits charged.', [
    NETWORK,
    'method',
  ]);
  const batches = new Tally('specgate_batches_total', 'Batches of calls.', [NETWORK]);
  const batched = new Tally('specgate_batched_calls_total', 'Calls that came in batches.', [
    NETWORK,
  ]);
  const refusals = new Tally(
    'specgate_requests_refused_total',
    'Requests refused as a whole, WebSocket upgrades among them, by the reason of the error.',
    [NETWORK, 'reason'],
  );
  const open = new Map<string, Map<string, number>>();
  const connections = new Reading(
    {
      name: 'specgate_connections',
      help: 'Open connections of callers; a WebSocket counts under both transports.',
      labelNames: [NETWORK, 'transport'],
    },
    function* read() {
      for (const [network, transports] of open) {
        for (const [transport, count] of transports) yield [count, network, transport];
      }
    },
  );
  const inFlight = new Reading(
    {
      name: 'specgate_calls_in_flight',
      help: 'Calls taken and not yet answered.',
      labelNames: [NETWORK],
    },
    callsInFlight,
  );
  const cuts = new Tally(
    'specgate_connections_cut_total',
    'Connections cut for answers that were not taken, by cause: stalled, pipelined, share or sum.',
    [NETWORK, 'cause'],
  );
  const held = new Reading(
    {
      name: 'specgate_unsent_bytes',
      help: 'Bytes of answers that callers have yet to take: accounts, or anonymous: without a valid key.',
      labelNames: ['holder'],
    },
    unsent,
  );
  return {
    families: [
      calls,
      durations,
      inFlight,
      credits,
      batches,
      batched,
      refusals,
      connections,
      cuts,
      held,
    ],
    onCall({ network, method, outcome, credits: charged, duration_ms }) {
      const name = method ?? 'unknown';
      calls.add(1, network, name, outcome);
      durations.observe(duration_ms, network, name);
      if (charged > 0) credits.add(charged, network, name);
    },
    onBatch(network, size) {
      batches.add(1, network);
      batched.add(size, network);
    },
    onRefusal: (network, reason) => refusals.add(1, network, reason),
    onCut: (network, cause) => cuts.add(1, network, cause),
    onConnection(network, transport, change) {
      const transports = open.get(network) ?? new Map<string, number>();
      open.set(network, transports.set(transport, (transports.get(transport) ?? 0) + change));
    },
  };
}
