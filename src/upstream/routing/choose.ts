import type { TimedUpstream } from '../with-timeout.ts';
import type { Demand } from './heights.ts';

/** An upstream of a network, as the choice sees it. */
export interface Candidate {
  readonly name: string;
  /** How much of the load it takes beside others of its tier. */
  readonly weight: number;
  /** Lower ones are asked first. */
  readonly tier: number;
  /** Calls under way, streams included. */
  readonly inFlight: number;
  /** The limit is the time left until the deadline of the call; a queue may take some of it. */
  readonly ask: TimedUpstream;
  /** Whether it can be sent a call now that demands so much of a node. */
  canTake(demand: Demand): boolean;
}

export interface Wish {
  readonly without: readonly Candidate[];
  readonly demand: Demand;
  /** Only of this tier; undefined: of the lowest tier that has one. */
  readonly tier?: number;
}

/**
 * Chooses, among those that can take a call, of the lowest tier the one with the least load for its
 * weight. Equals take turns, as often as their weights say: each choice moves its upstream back by
 * the inverse of its weight, and one that was away rejoins at the front, not with turns to catch up.
 */
export function createChooser(
  candidates: readonly Candidate[],
): (wish: Wish) => Candidate | undefined {
  const turns = new Map(candidates.map((candidate) => [candidate, 0]));
  let now = 0;
  const turnOf = (candidate: Candidate): number => Math.max(now, turns.get(candidate) ?? 0);
  const isBefore = (left: Candidate, right: Candidate): boolean => {
    if (left.tier !== right.tier) return left.tier < right.tier;
    const [leftLoad, rightLoad] = [loadOf(left), loadOf(right)];
    return leftLoad === rightLoad ? turnOf(left) < turnOf(right) : leftLoad < rightLoad;
  };
  return ({ without, demand, tier }) => {
    let best: Candidate | undefined;
    for (const candidate of candidates) {
      if (tier !== undefined && candidate.tier !== tier) continue;
      if (without.includes(candidate) || !candidate.canTake(demand)) continue;
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
