import { seededRandom } from '../../common/make-value/make-value.ts';
import type { Json } from '../../common/json/value.ts';
import type { CoverageRow } from './coverage.ts';
import type { Contract } from './contract.ts';
import type { Target, TransportName } from './message.ts';
import { findExpected, type ExpectedFailure } from './expected.ts';
import { fixturePhase, type Fixture } from './fixtures.ts';
import type { Phase } from './phase.ts';
import { boundary } from './phases/boundary.ts';
import { auth } from './phases/auth.ts';
import { examples } from './phases/examples.ts';
import { fuzz } from './phases/fuzz.ts';
import { metering } from './phases/metering.ts';
import { protocol } from './phases/protocol.ts';
import { stateful } from './phases/stateful.ts';
import { shrink } from './shrink.ts';
import { RunEnded, Session, type Failure } from './session.ts';
import { openHttp, openWebSocket, type Channel } from './transport.ts';

/** The phases in the order they run in: the ones that find most with few calls come first. */
export const phases: readonly Phase[] = [
  examples,
  protocol,
  auth,
  metering,
  stateful,
  boundary,
  fuzz,
];

export interface RunOptions {
  /** Address for HTTP; undefined if there is none. */
  readonly http?: Target | undefined;
  readonly webSocket?: Target | undefined;
  /** Ids of the phases to run; all by default. */
  readonly phases?: readonly string[] | undefined;
  readonly maxCalls: number;
  /** Maximum number of calls per second. */
  readonly rate?: number | undefined;
  readonly timeout_ms: number;
  readonly maxLatency_ms?: number | undefined;
  readonly failFast?: boolean;
  /** Ids of checks that are not applied. */
  readonly skippedChecks?: readonly string[] | undefined;
  readonly seed: string;
  /** Values for params, by the names of component schemas. */
  readonly seeds?: Readonly<Record<string, readonly Json[]>>;
  /** Failures that are known. */
  readonly expected?: readonly ExpectedFailure[];
  /** Recorded requests and responses to send first. */
  readonly fixtures?: readonly Fixture[];
  readonly onPhase?: (phase: Phase) => void;
  readonly onFailure?: (failure: Failure) => void;
}

export interface PhaseResult {
  readonly id: string;
  readonly title: string;
  readonly calls: number;
  readonly failures: number;
}

/** Failures of one check of one method. */
export interface FailureGroup {
  /** The one with the smallest call. */
  readonly failure: Failure;
  /** The entry of the known failures that they belong to, or null. */
  readonly expected: ExpectedFailure | null;
  readonly count: number;
  readonly transports: readonly TransportName[];
}

/** The outcome of a run. */
export interface Verified {
  readonly groups: readonly FailureGroup[];
  readonly coverage: readonly CoverageRow[];
  readonly phases: readonly PhaseResult[];
  readonly calls: number;
  /** Why the run ended before its last phase; null if it did not. */
  readonly ended: string | null;
}

/** Verifies a server against a document. */
export async function verify(contract: Contract, options: RunOptions): Promise<Verified> {
  const channels = openChannels(options);
  const { rate, maxLatency_ms = Infinity, failFast = false, maxCalls, seed } = options;
  const session = new Session({
    contract,
    channels,
    targets: {
      ...(options.http === undefined ? {} : { http: options.http }),
      ...(options.webSocket === undefined ? {} : { websocket: options.webSocket }),
    },
    maxCalls,
    interval_ms: rate === undefined ? 0 : 1_000 / rate,
    maxLatency_ms,
    failFast,
    skippedChecks: new Set(options.skippedChecks),
    random: seededRandom(seed),
    isExpected: (failure) => findExpected(options.expected ?? [], failure) !== null,
    ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
  });
  session.seeds.add(options.seeds ?? {});
  try {
    return await runPhases(session, options);
  } finally {
    await Promise.all(channels.map((channel) => channel.close()));
  }
}

function openChannels({ http, webSocket, timeout_ms }: RunOptions): readonly Channel[] {
  return [
    ...(http === undefined ? [] : [openHttp({ target: http, timeout_ms })]),
    ...(webSocket === undefined ? [] : [openWebSocket({ target: webSocket, timeout_ms })]),
  ];
}

async function runPhases(session: Session, options: RunOptions): Promise<Verified> {
  const results: PhaseResult[] = [];
  let ended: string | null = null;
  const { fixtures = [] } = options;
  const all = [...(fixtures.length > 0 ? [fixturePhase(fixtures)] : []), ...phases];
  for (const phase of all) {
    if (options.phases?.includes(phase.id) === false || ended !== null) continue;
    const before = { calls: session.calls, failures: session.failures.length };
    session.phase = phase.id;
    options.onPhase?.(phase);
    try {
      await phase.run(session);
    } catch (error) {
      if (!(error instanceof RunEnded)) throw error;
      ended = `${phase.id}: ${error.message}`;
    }
    results.push({
      id: phase.id,
      title: phase.title,
      calls: session.calls - before.calls,
      failures: session.failures.length - before.failures,
    });
  }
  const groups = await groupFailures(session, options);
  return {
    groups,
    coverage: session.coverage.rows(),
    phases: results,
    calls: session.calls,
    ended,
  };
}

/**
 * Groups failures by check, method and known failure, and shrinks the smallest failure of each group that
 * is not known.
 */
async function groupFailures(
  session: Session,
  { expected: known = [], failFast = false }: RunOptions,
): Promise<readonly FailureGroup[]> {
  const all = session.failures.map((failure) => ({
    failure,
    expected: findExpected(known, failure),
  }));
  const byKind = Map.groupBy(
    all,
    ({ failure: { check, probe }, expected }) =>
      `${check} ${probe.method?.name ?? ''} ${expected === null ? '' : known.indexOf(expected)}`,
  );
  const groups: FailureGroup[] = [];
  for (const failures of byKind.values()) {
    const [{ failure, expected }] = failures.toSorted(
      (a, b) => a.failure.probe.body.length - b.failure.probe.body.length,
    ) as [(typeof failures)[0]];
    groups.push({
      failure: failFast || expected !== null ? failure : await shrink(session, failure),
      expected,
      count: failures.length,
      transports: [...new Set(failures.map((each) => each.failure.answer.transport))],
    });
  }
  return groups;
}
