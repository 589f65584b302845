import type { UpstreamEvent } from '../upstream/events.ts';
import type { UpstreamStatus } from '../upstream/network.ts';
import type { BreakerState } from '../upstream/routing/breaker.ts';
import { Durations } from './durations.ts';
import type { Family } from './exposition.ts';
import { Reading, type Sample } from './reading.ts';
import { Tally } from './tally.ts';

/** What is asked of upstreams, and how they stand. */
export interface UpstreamMetrics {
  onUpstreamEvent(network: string, event: UpstreamEvent): void;
  /** A result was held to the document: `checked`, `violation` or `skipped`. */
  onContractCheck(network: string, upstream: string, outcome: string): void;
}

/** The upstreams of each network as they stand now. */
export type ReadStatus = () => Iterable<readonly [network: string, readonly UpstreamStatus[]]>;

const NETWORK = 'network';
const UPSTREAM = [NETWORK, 'upstream'];

export function countUpstreams(
  readStatus: ReadStatus,
): UpstreamMetrics & { readonly families: readonly Family[] } {
  const attempts = new Tally(
    'specgate_upstream_attempts_total',
    'Calls sent to upstreams, retries and hedges among them.',
    UPSTREAM,
  );
  const outcomes = new Tally(
    'specgate_upstream_calls_total',
    'Calls to upstreams that ended, by outcome: result, stream, error (of the node), or the cause of a failure.',
    [...UPSTREAM, 'outcome'],
  );
  const durations = new Durations(
    'specgate_upstream_duration_seconds',
    'Time from sending a call to an upstream to its answer, or to the first bytes of a stream.',
    [NETWORK, 'upstream'],
  );
  const retries = new Tally(
    'specgate_upstream_retries_total',
    'Calls sent to an upstream after another attempt had failed, by the cause of that failure.',
    [...UPSTREAM, 'cause'],
  );
  const hedges = new Tally(
    'specgate_upstream_hedges_total',
    'Calls sent to an upstream because another one was slow.',
    UPSTREAM,
  );
  const forwards = new Tally(
    'specgate_forwards_total',
    'Calls handed to the partner, by why the network could not answer.',
    [NETWORK, 'method', 'cause'],
  );
  const streams = new Tally(
    'specgate_streams_total',
    'Streamed results, by how they ended: whole, or the cause of the break.',
    [...UPSTREAM, 'end'],
  );
  const streamed = new Tally(
    'specgate_streamed_bytes_total',
    'Bytes of streamed results taken by callers.',
    UPSTREAM,
  );
  const changes = new Tally(
    'specgate_upstream_breaker_changes_total',
    'Changes of circuit breakers, by the state they came to.',
    [...UPSTREAM, 'state'],
  );
  const rests = new Tally(
    'specgate_upstream_rests_total',
    'Times an upstream asked to be left alone for a while.',
    UPSTREAM,
  );
  const contract = new Tally(
    'specgate_contract_checks_total',
    'Results held to the document: checked, violation or skipped.',
    [...UPSTREAM, 'outcome'],
  );
  const count: { [Kind in UpstreamEvent['kind']]?: CountEvent<Kind> } = {
    attempt: (network, { upstream }) => attempts.add(1, network, upstream),
    outcome(network, { upstream, outcome, duration_ms }) {
      outcomes.add(1, network, upstream, outcome);
      durations.observe(duration_ms, network, upstream);
    },
    retry: (network, { upstream, cause }) => retries.add(1, network, upstream, cause),
    hedge: (network, { upstream }) => hedges.add(1, network, upstream),
    forward: (network, { method, cause }) => forwards.add(1, network, method, cause),
    stream(network, { upstream, end, bytes }) {
      streams.add(1, network, upstream, end);
      streamed.add(bytes, network, upstream);
    },
    cooldown: (network, { upstream }) => rests.add(1, network, upstream),
    breaker: (network, { upstream, state }) => changes.add(1, network, upstream, state),
  };
  return {
    families: [
      attempts,
      outcomes,
      durations,
      retries,
      hedges,
      forwards,
      streams,
      streamed,
      ...standing(readStatus),
      changes,
      rests,
      contract,
    ],
    onUpstreamEvent(network, event) {
      (count[event.kind] as CountEvent<typeof event.kind> | undefined)?.(network, event as never);
    },
    onContractCheck: (network, upstream, outcome) => contract.add(1, network, upstream, outcome),
  };
}

type CountEvent<Kind extends UpstreamEvent['kind']> = (
  network: string,
  event: Extract<UpstreamEvent, { kind: Kind }>,
) => void;

const STATES: readonly BreakerState[] = ['closed', 'half-open', 'open'];

/** How upstreams stand, read when asked for. A partner is asked, not followed: it has no head. */
function standing(readStatus: ReadStatus): readonly Family[] {
  const reading = (
    { name, help, labelNames = [] }: { name: string; help: string; labelNames?: string[] },
    read: (status: UpstreamStatus, all: readonly UpstreamStatus[]) => Iterable<Sample>,
  ): Reading =>
    new Reading({ name, help, labelNames: [...UPSTREAM, ...labelNames] }, function* readAll() {
      for (const [network, all] of readStatus()) {
        for (const status of all) {
          for (const [value, ...labels] of read(status, all)) {
            yield [value, network, status.name, ...labels];
          }
        }
      }
    });
  return [
    reading(
      { name: 'specgate_upstream_healthy', help: 'Whether an upstream is fit to be asked.' },
      ({ isPartner, isHealthy }) => (isPartner ? [] : [[isHealthy ? 1 : 0]]),
    ),
    reading(
      { name: 'specgate_upstream_head', help: 'Newest block or slot of an upstream.' },
      ({ head }) => (head === undefined ? [] : [[head.number]]),
    ),
    reading(
      {
        name: 'specgate_upstream_lag',
        help: 'Blocks or slots an upstream is behind the highest fit one of its network.',
      },
      ({ head }, all) => (head === undefined ? [] : [[Math.max(0, highest(all) - head.number)]]),
    ),
    reading(
      {
        name: 'specgate_upstream_breaker',
        help: 'Whether the circuit breaker of an upstream is in a state: closed, half-open or open.',
        labelNames: ['state'],
      },
      ({ breaker }) => STATES.map((state) => [state === breaker ? 1 : 0, state] as const),
    ),
    reading(
      {
        name: 'specgate_upstream_calls_in_flight',
        help: 'Calls an upstream has not answered yet, streams and calls in its queue included.',
      },
      ({ inFlight }) => [[inFlight]],
    ),
    reading(
      {
        name: 'specgate_upstream_budget_left',
        help: 'Calls an upstream may still be sent on this UTC day; absent where that is unbounded.',
      },
      ({ callsLeftToday }) => (callsLeftToday === null ? [] : [[callsLeftToday]]),
    ),
  ];
}

function highest(all: readonly UpstreamStatus[]): number {
  return Math.max(0, ...all.map(({ isHealthy, head }) => (isHealthy ? (head?.number ?? 0) : 0)));
}
