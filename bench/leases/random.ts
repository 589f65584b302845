/** Returns a source of numbers in [0, 1) that repeats with its seed (mulberry32, public domain). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks a rank from 0 to count − 1 by Zipf's law: the n-th is picked 1/n as often as the first. */
export function pickZipf(random: () => number, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random()) - 1);
}

/** Calls a second that reach the account of a rank. */
export function zipfShare(rank: number, count: number): number {
  return Math.log((rank + 2) / (rank + 1)) / Math.log(count + 1);
}
