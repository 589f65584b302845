/** Maximum number of repetitions where a pattern has no upper bound. */
export const MAX_OPEN_REPEATS = 8;

/** Longer patterns are not parsed. */
const MAX_PATTERN_CHARACTERS = 10_000;

const TOKEN =
  /\((?:\?(?:<?[=!]|<[^=!>][^>]*>|:))?|\)|\||\[(?:\\.|[^\]\\])*\]|\\.|(?:[*+?]|\{(\d+)(,?)(\d*)\})\??|[^]/gs;

/**
 * Returns the approximate maximum length of a text generated for a pattern. Nested repetitions
 * multiply: a pattern of thirty characters can need more than any memory holds.
 */
export function sizeOfPattern(source: string): number {
  if (source.length > MAX_PATTERN_CHARACTERS) return Infinity;
  /** Sizes of the open groups, and of the last element in each, which may be repeated. */
  const groups = [{ size: 0, last: 0 }];
  for (const [token, low, comma, high] of source.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    if (token.startsWith('(')) {
      groups.push({ size: 0, last: 0 });
    } else if (token === ')' && groups.length > 1) {
      groups.pop();
      const outer = groups.at(-1)!;
      outer.last = group.size;
      outer.size += group.size;
    } else if (low !== undefined || /^[*+?]/.test(token)) {
      const open = token.startsWith('?') ? 1 : MAX_OPEN_REPEATS;
      const closed = high === '' && comma === ',' ? Number(low) + open : Number(high || low);
      group.size += group.last * ((low === undefined ? open : closed) - 1);
    } else if (token !== '|') {
      group.last = 1;
      group.size += 1;
    }
  }
  return groups[0]!.size;
}
