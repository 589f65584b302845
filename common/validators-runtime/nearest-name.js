/** Longer names are truncated: the time of a comparison grows with the square of their length. */
const MAX_LENGTH = 64;

/**
 * Maximum number of steps of the comparisons with one name: a document may have any number of names, and a
 * caller may send a wrong one in each of many calls.
 */
const MAX_STEPS = 200_000;

/** Steps of a comparison in addition to those for each pair of characters. */
const STEPS_PER_NAME = 50;

/** Returns the steps that several calls of `nearestName` may share. */
export function comparisonSteps() {
  return { left: MAX_STEPS };
}

/**
 * Returns the one of `names` that `name` was probably meant to be, with at most `mistakes`, or null. Compares
 * no further names once there are no steps left.
 */
export function nearestName(name, names, { steps = comparisonSteps(), mistakes } = {}) {
  const wanted = fold(name);
  let nearest = null;
  let limit = (mistakes ?? Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of names) {
    steps.left -= STEPS_PER_NAME;
    if (steps.left < 0) break;
    const folded = fold(candidate);
    // Each missing or additional character is a mistake, so most names need no comparison.
    if (Math.abs(folded.length - wanted.length) >= limit) continue;
    steps.left -= folded.length * wanted.length;
    if (steps.left < 0) break;
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
