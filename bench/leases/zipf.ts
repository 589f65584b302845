/** Picks a rank from 0 to count − 1 by Zipf's law: the n-th is picked 1/n as often as the first. */
export function pickZipf(random: () => number, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random()) - 1);
}

/** Calls a second that reach the account of a rank. */
export function zipfShare(rank: number, count: number): number {
  return Math.log((rank + 2) / (rank + 1)) / Math.log(count + 1);
}
