/** How often what has no upper bound is repeated at most. */
export const MAX_OPEN_REPEATS = 8;

/** Longer ones are not read. */
const MAX_PATTERN_CHARACTERS = 10_000;

const TOKEN =
  /\((?:\?(?:<?[=!]|<[^=!>][^>]*>|:))?|\)|\||\[(?:\\.|[^\]\\])*\]|\\.|(?:[*+?]|\{(\d+)(,?)(\d*)\})\??|[^]/gs;

/**
 * Returns about how many characters a text made for an expression has at most. Repetitions within
 * repetitions multiply: thirty characters can ask for more than any memory holds.
 */
export function sizeOfPattern(source: string): number {
  if (source.length > MAX_PATTERN_CHARACTERS) return Infinity;
  /** Sizes of the groups that are open, and in each of the last thing, which may be repeated. */
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
