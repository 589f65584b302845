import { asksNext, asLast } from './node-errors.ts';
import { failure, type Upstream, type UpstreamOutcome } from './upstream.ts';

/** One upstream of a network, as the choice sees it. */
export interface Candidate {
  readonly call: Upstream;
  readonly weight: number;
  isFit(): boolean;
  /** Calls under way; kept by the choice. */
  inFlight: number;
}

const NONE = failure('none', 'no upstream is fit to be asked');

/**
 * Asks the least loaded fit upstream (the first of equals), and another one when it fails as a
 * machine; a node's answer, null included, is final but for the errors that `asksNext` names.
 * A connection that broke is tried once more where no other upstream is left, since it may have
 * been closed while idle: all calls here only read. At most `most_tries` are made.
 */
export function withFailover(
  candidates: readonly Candidate[],
  { family, most_tries }: { family: string; most_tries: number },
): Upstream {
  return async (call, signal) => {
    const tried: Candidate[] = [];
    let last = NONE;
    for (let tries = 0; tries < most_tries; tries += 1) {
      const candidate = choose(candidates, tried) ?? again(last, tried);
      if (candidate === undefined) break;
      tried.push(candidate);
      candidate.inFlight += 1;
      last = await candidate.call(call, signal);
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
