import type { TimedUpstream } from '../upstream.ts';
import type { Demand } from './heights.ts';

/** A node of a network, as routing sees it. */
export interface Candidate {
  readonly name: string;
  /** Its share of the load among nodes of its tier. */
  readonly weight: number;
  /** Lower tiers are used first. */
  readonly tier: number;
  /** Calls in flight or queued, streams included. */
  readonly inFlight: number;
  /** The limit is the time to the deadline of the call, time in the queue included. */
  readonly call: TimedUpstream;
  canTake(demand: Demand): boolean;
}

export interface Choice {
  readonly exclude: readonly Candidate[];
  readonly demand: Demand;
  /** Restricts the choice to one tier; the lowest available tier when undefined. */
  readonly tier?: number;
}

/**
 * Returns a function that chooses the node with the lowest load relative to its weight, in the lowest tier
 * with a node that can take the call. Equally loaded nodes take turns by weight: each choice moves a node
 * back by the inverse of its weight. A node that was unavailable rejoins at the front, without extra turns.
 */
export function createChooser(
  candidates: readonly Candidate[],
): (choice: Choice) => Candidate | undefined {
  const turns = new Map(candidates.map((candidate) => [candidate, 0]));
  let now = 0;
  const turnOf = (candidate: Candidate): number => Math.max(now, turns.get(candidate) ?? 0);
  const isBefore = (left: Candidate, right: Candidate): boolean => {
    if (left.tier !== right.tier) return left.tier < right.tier;
    const [leftLoad, rightLoad] = [loadOf(left), loadOf(right)];
    return leftLoad === rightLoad ? turnOf(left) < turnOf(right) : leftLoad < rightLoad;
  };
  return ({ exclude, demand, tier }) => {
    let best: Candidate | undefined;
    for (const candidate of candidates) {
      if (tier !== undefined && candidate.tier !== tier) continue;
      if (exclude.includes(candidate) || !candidate.canTake(demand)) continue;
      if (best === undefined || isBefore(candidate, best)) best = candidate;
    }
    if (best === undefined) return undefined;
    now = turnOf(best);
    turns.set(best, now + 1 / best.weight);
    return best;
  };
}

function loadOf({ inFlight, weight }: Candidate): number {
  return inFlight / weight;
}
