/** The one of `names` that `name` may have been meant to be. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.ceil(Math.min(name.length, LONGEST) / 3) + 1;
  for (const candidate of names) {
    const distance = editDistance(fold(name), fold(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Longer names are cut: the comparison takes the square of their length. */
const LONGEST = 64;

/** `request-bytes`, `requestBytes` and `request_bytes` are the same slip of memory. */
function fold(name: string): string {
  return name.slice(0, LONGEST).toLowerCase().replaceAll(/[-_]/g, '');
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(row[j]! + Number(letter !== other), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
