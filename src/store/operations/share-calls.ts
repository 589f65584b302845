/** Part of an account's calls that its holders have in equal shares, whatever they use. */
const EQUAL_PART = 1 / 4;

/**
 * A holder's part of the calls a second an account may make: for the most part as its calls are to
 * those of all, so that a quiet holder takes little from a busy one; for the rest the same for each,
 * so that each can begin. The parts of all holders add up to 1.
 */
export function shareCalls(own: number, others: readonly number[]): number {
  const all = others.reduce((sum, rate) => sum + rate, own);
  const equal = 1 / (others.length + 1);
  return all === 0 ? equal : EQUAL_PART * equal + (1 - EQUAL_PART) * (own / all);
}
