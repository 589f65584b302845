import { asksNext, asLast } from './node-errors.ts';
import { failure, type Upstream, type UpstreamOutcome } from './upstream.ts';
import type { TimedUpstream } from './with-timeout.ts';

/** One upstream of a network, as the choice sees it. */
export interface Candidate {
  readonly call: TimedUpstream;
  readonly weight: number;
  isFit(): boolean;
  /** Calls under way; kept by the choice. */
  inFlight: number;
}

const NONE = failure('none', 'no upstream is fit to be asked');

export interface FailoverOptions {
  readonly family: string;
  readonly most_tries: number;
  /** For one try. */
  readonly try_ms: number;
  /** For all tries of a call together. */
  readonly deadline_ms: number;
  readonly monotonic_ms: () => number;
}

/**
 * Asks the least loaded fit upstream (the first of equals), and another one when it fails as a
 * machine; a node's answer, null included, is final but for the errors that `asksNext` names.
 * A connection that broke is tried once more where no other upstream is left, since it may have
 * been closed while idle: all calls here only read. Tries are bounded in number and in time.
 */
export function withFailover(candidates: readonly Candidate[], options: FailoverOptions): Upstream {
  const { family, most_tries, try_ms, deadline_ms, monotonic_ms } = options;
  return async (call, signal) => {
    const ends_ms = monotonic_ms() + deadline_ms;
    const tried: Candidate[] = [];
    let last = NONE;
    while (tried.length < most_tries) {
      const candidate = choose(candidates, tried) ?? again(last, tried);
      const left_ms = ends_ms - monotonic_ms();
      if (candidate === undefined || left_ms <= 0) break;
      tried.push(candidate);
      candidate.inFlight += 1;
      last = await candidate.call(call, signal, Math.min(try_ms, Math.ceil(left_ms)));
      candidate.inFlight -= 1;
      if (isFinal(family, last) || signal.aborted) return last;
    }
    return asLast(family, last);
  };
}

function choose(
  candidates: readonly Candidate[],
  tried: readonly Candidate[],
): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (!candidate.isFit() || tried.includes(candidate)) continue;
    if (best === undefined || loadOf(candidate) < loadOf(best)) best = candidate;
  }
  return best;
}

function again(last: UpstreamOutcome, tried: readonly Candidate[]): Candidate | undefined {
  const broke = last.kind === 'failure' && last.cause === 'connection';
  return broke && new Set(tried).size === tried.length ? tried.at(-1) : undefined;
}

function loadOf({ inFlight, weight }: Candidate): number {
  return inFlight / weight;
}

function isFinal(family: string, outcome: UpstreamOutcome): boolean {
  if (outcome.kind === 'result') return true;
  if (outcome.kind === 'error') return !asksNext(family, outcome.error);
  return outcome.cause === 'aborted' || outcome.cause === 'too_large';
}
