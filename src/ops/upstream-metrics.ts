import type { UpstreamEvent } from '../upstream/events.ts';
import type { UpstreamStatus } from '../upstream/network.ts';
import type { BreakerState } from '../upstream/routing/breaker.ts';
import {
  Counter,
  DurationHistogram,
  ObservedMetric,
  type Metric,
  type Sample,
} from './metric-types.ts';

export interface UpstreamMetrics {
  onUpstreamEvent(network: string, event: UpstreamEvent): void;
  /** Counts a result checked against the document: `checked`, `violation` or `skipped`. */
  onContractCheck(network: string, upstream: string, outcome: string): void;
}

/** Returns the upstreams of each network and their current state. */
export type ReadStatus = () => Iterable<readonly [network: string, readonly UpstreamStatus[]]>;

/** Returns how much the cache of each network holds. */
export type ReadCaches = () => Iterable<
  readonly [network: string, { readonly entries: number; readonly bytes: number }]
>;

const NETWORK = 'network';
const UPSTREAM = [NETWORK, 'upstream'];

export function createUpstreamMetrics(
  readStatus: ReadStatus,
  readCaches: ReadCaches,
): UpstreamMetrics & { readonly metrics: readonly Metric[] } {
  const metrics = {
    attempts: new Counter(
      'specgate_upstream_attempts_total',
      'Calls sent to upstreams, including retries and hedges.',
      UPSTREAM,
    ),
    outcomes: new Counter(
      'specgate_upstream_calls_total',
      'Calls to upstreams that ended, by outcome: result, stream, error (from the node), or the cause of the failure.',
      [...UPSTREAM, 'outcome'],
    ),
    durations: new DurationHistogram(
      'specgate_upstream_duration_seconds',
      'Time from sending a call to an upstream to its response, or to the first bytes of a stream.',
      UPSTREAM,
    ),
    retries: new Counter(
      'specgate_upstream_retries_total',
      'Calls retried on an upstream, by the cause of the previous failure.',
      [...UPSTREAM, 'cause'],
    ),
    hedges: new Counter(
      'specgate_upstream_hedges_total',
      'Calls also sent to an upstream because another one was slow.',
      UPSTREAM,
    ),
    forwards: new Counter(
      'specgate_forwards_total',
      'Calls forwarded to the partner, by the reason why no upstream of the network could serve them.',
      [NETWORK, 'method', 'cause'],
    ),
    streams: new Counter(
      'specgate_streams_total',
      'Streamed results that ended, by end: whole, or the cause of an early end.',
      [...UPSTREAM, 'end'],
    ),
    streamedBytes: new Counter(
      'specgate_streamed_bytes_total',
      'Bytes of streamed results sent to clients.',
      UPSTREAM,
    ),
    breakerChanges: new Counter(
      'specgate_upstream_breaker_changes_total',
      'State changes of circuit breakers, by new state.',
      [...UPSTREAM, 'state'],
    ),
    cooldowns: new Counter(
      'specgate_upstream_cooldowns_total',
      'Times an upstream entered a cooldown for all accounts (Retry-After).',
      UPSTREAM,
    ),
    cacheLookups: new Counter(
      'specgate_cache_lookups_total',
      'Calls looked up in the cache (hit, miss) and on the cache server (server, unavailable), or served together with an identical call (shared).',
      [NETWORK, 'method', 'outcome'],
    ),
    cacheBytes: new ObservedMetric(
      'specgate_cache_bytes',
      'Memory used by cached results.',
      [NETWORK],
      function* read() {
        for (const [network, { bytes }] of readCaches()) yield [bytes, network];
      },
    ),
    cacheEntries: new ObservedMetric(
      'specgate_cache_entries',
      'Cached results.',
      [NETWORK],
      function* read() {
        for (const [network, { entries }] of readCaches()) yield [entries, network];
      },
    ),
    contractChecks: new Counter(
      'specgate_contract_checks_total',
      'Results checked against the document, by outcome: checked, violation or skipped.',
      [...UPSTREAM, 'outcome'],
    ),
  };
  const count: { [Kind in UpstreamEvent['kind']]?: CountEvent<Kind> } = {
    attempt: (network, { upstream }) => metrics.attempts.add(1, network, upstream),
    outcome(network, { upstream, outcome, duration_ms }) {
      metrics.outcomes.add(1, network, upstream, outcome);
      metrics.durations.observe(duration_ms, network, upstream);
    },
    retry: (network, { upstream, cause }) => metrics.retries.add(1, network, upstream, cause),
    hedge: (network, { upstream }) => metrics.hedges.add(1, network, upstream),
    forward: (network, { method, cause }) => metrics.forwards.add(1, network, method, cause),
    stream(network, { upstream, end, bytes }) {
      metrics.streams.add(1, network, upstream, end);
      metrics.streamedBytes.add(bytes, network, upstream);
    },
    cache: (network, { method, outcome }) => metrics.cacheLookups.add(1, network, method, outcome),
    cooldown: (network, { upstream }) => metrics.cooldowns.add(1, network, upstream),
    breaker: (network, { upstream, state }) =>
      metrics.breakerChanges.add(1, network, upstream, state),
  };
  return {
    metrics: [...Object.values(metrics), ...observeStatus(readStatus)],
    onUpstreamEvent(network, event) {
      (count[event.kind] as CountEvent<typeof event.kind> | undefined)?.(network, event as never);
    },
    onContractCheck: (network, upstream, outcome) =>
      metrics.contractChecks.add(1, network, upstream, outcome),
  };
}

type CountEvent<Kind extends UpstreamEvent['kind']> = (
  network: string,
  event: Extract<UpstreamEvent, { kind: Kind }>,
) => void;

const STATES: readonly BreakerState[] = ['closed', 'half-open', 'open'];

interface StatusRow {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly read: (status: UpstreamStatus, all: readonly UpstreamStatus[]) => Iterable<Sample>;
}

const statusRows: readonly StatusRow[] = [
  {
    name: 'specgate_upstream_healthy',
    help: 'Whether an upstream is healthy; absent for partners, which are not probed.',
    read: ({ isPartner, isHealthy }) => (isPartner ? [] : [[isHealthy ? 1 : 0]]),
  },
  {
    name: 'specgate_upstream_head',
    help: 'Newest block or slot of an upstream.',
    read: ({ head }) => (head === undefined ? [] : [[head.number]]),
  },
  {
    name: 'specgate_upstream_lag',
    help: 'Blocks or slots that an upstream is behind the highest healthy one of its network.',
    read: ({ head }, all) =>
      head === undefined ? [] : [[Math.max(0, highest(all) - head.number)]],
  },
  {
    name: 'specgate_upstream_breaker',
    help: 'State of the circuit breaker of an upstream (closed, half-open or open): 1 for the current one, otherwise 0.',
    labelNames: ['state'],
    read: ({ breaker }) => STATES.map((state) => [state === breaker ? 1 : 0, state] as const),
  },
  {
    name: 'specgate_upstream_calls_in_flight',
    help: 'Calls that wait for an upstream, including streams and queued calls.',
    read: ({ inFlight }) => [[inFlight]],
  },
  {
    name: 'specgate_upstream_budget_left',
    help: 'Calls left in the budget of an upstream for this UTC day; absent without a budget.',
    read: ({ callsLeftToday }) => (callsLeftToday === null ? [] : [[callsLeftToday]]),
  },
];

/** Reads the state of upstreams when metrics are scraped. */
function observeStatus(readStatus: ReadStatus): readonly Metric[] {
  return statusRows.map(
    ({ name, help, labelNames = [], read }) =>
      new ObservedMetric(name, help, [...UPSTREAM, ...labelNames], function* () {
        for (const [network, all] of readStatus()) {
          for (const status of all) {
            for (const [value, ...labels] of read(status, all)) {
              yield [value, network, status.name, ...labels];
            }
          }
        }
      }),
  );
}

function highest(all: readonly UpstreamStatus[]): number {
  return Math.max(0, ...all.map(({ isHealthy, head }) => (isHealthy ? (head?.number ?? 0) : 0)));
}
