/** The one of `names` that `name` may have been meant to be, or null. */
export function suggestionFor(name, names) {
  // Long names are not typing errors, and the comparison takes the square of their length.
  if (name.length > 64) return null;
  const most = Math.ceil(name.length / 3);
  let best = null;
  let least = most + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
