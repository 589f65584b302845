import { BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './bytes.ts';

/** The bytes of `0,`, the shortest element. */
const MIN_VALUE_BYTES = 2;

/**
 * Checks whether valid JSON may hold more than `max` objects, arrays and scalars. Parsing one of them takes
 * a hundred times as long as the same bytes in a string.
 */
export function hasMoreValues(bytes: Buffer, max: number): boolean {
  if (bytes.length <= max * MIN_VALUE_BYTES) return false;
  let count = 1;
  for (let at = 0; at < bytes.length && count <= max; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    // The first element or member follows a bracket, any other a comma; an empty one counts as two.
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) count += 1;
  }
  return count > max;
}

/** Returns the index of the closing quote. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return bytes.length;
    let first = at;
    while (bytes[first - 1] === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
}
