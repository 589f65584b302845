import { createChance } from '../diff/instances/instances.ts';
import { zipfShare } from './zipf.ts';

/** Prices of methods, as the document has them. */
export const COSTS = [80, 80, 150, 150, 300, 1_000];
const MEAN_COST = COSTS.reduce((sum, cost) => sum + cost, 0) / COSTS.length;

/** Of the smallest plan of the document. */
const MIN_ALLOWANCE = 3_000_000;
const S_PER_DAY = 86_400;
/** Credits per day, as a multiple of what an account would use if it called all day. */
const ALLOWANCE = 1.5;
/** The part of their calls that accounts have credits for that run out. */
const COVERED = [0.2, 1] as const;
/** What the others have left, as a part of a day. */
const LEFT = [0.2, 0.8] as const;

export interface Traffic {
  readonly accounts: number;
  readonly calls_per_s: number;
  readonly duration_s: number;
  /** Of 1,000 accounts, those that run out of credits; each of their calls asks the store. */
  readonly scarce: number;
  readonly seed: number;
}

/** Returns the credits per day of an account, and what is left of them when the simulation starts. */
export function termsOf(
  { accounts, calls_per_s, duration_s, scarce, seed }: Traffic,
  rank: number,
): { readonly allowance: number; readonly left: number } {
  const random = createChance(seed + rank);
  const between = ([min, max]: readonly [number, number]): number => min + random() * (max - min);
  const usage_per_s = zipfShare(rank, accounts) * calls_per_s * MEAN_COST;
  const allowance = Math.max(MIN_ALLOWANCE, Math.round(usage_per_s * S_PER_DAY * ALLOWANCE));
  if (random() * 1_000 >= scarce) return { allowance, left: Math.round(allowance * between(LEFT)) };
  const left = Math.round(usage_per_s * duration_s * between(COVERED));
  return { allowance, left: Math.min(allowance, Math.max(COSTS.at(-1)!, left)) };
}
