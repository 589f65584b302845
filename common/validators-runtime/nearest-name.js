/** Longer names are truncated: the time of a comparison grows with the square of their length. */
const MAX_LENGTH = 64;

/** Further names are not compared: a schema may allow very many, and a caller may miss each of them. */
const MAX_COMPARED = 1000;

/** Returns the one of `names` that `name` was probably meant to be, or null. */
export function nearestName(name, names) {
  const wanted = fold(name);
  let nearest = null;
  let limit = Math.ceil(wanted.length / 3) + 1;
  let compared = 0;
  for (const candidate of names) {
    if (compared === MAX_COMPARED) break;
    compared += 1;
    const folded = fold(candidate);
    // The distance is at least the difference of the lengths.
    if (Math.abs(folded.length - wanted.length) >= limit) continue;
    const distance = editDistance(wanted, folded);
    if (distance < limit) [nearest, limit] = [candidate, distance];
  }
  return nearest;
}

/** `request-bytes`, `requestBytes` and `request_bytes` are spellings of one name. */
function fold(name) {
  return name.slice(0, MAX_LENGTH).toLowerCase().replaceAll(/[-_]/g, '');
}

/** Returns the Levenshtein distance. */
export function editDistance(a, b) {
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
