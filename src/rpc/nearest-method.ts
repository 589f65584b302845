import { editDistance } from '../../common/validators-runtime/nearest-name.js';

/** Names further apart are different methods: eth_getCode is not a typing mistake for eth_getProof. */
const MAX_MISTAKES = 3;

/** Longer names are not compared; no method has one. */
const MAX_NAME_LENGTH = 64;

/** Returns the one of `names` that `name` probably misspells; undefined if there is none. */
export function nearestMethod(name: string, names: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let limit = Math.min(MAX_MISTAKES, Math.floor(name.length / 4)) + 1;
  for (const candidate of names) {
    // Each missing or additional letter is a mistake, so most names need no comparison.
    if (Math.abs(candidate.length - name.length) >= limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < limit) [nearest, limit] = [candidate, distance];
  }
  return nearest;
}
