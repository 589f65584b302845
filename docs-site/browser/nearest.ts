/** More slips than these, and another page was meant. */
const MAX_SLIPS = 3;

/** Longer names were not typed by hand. */
const MAX_CHARS = 80;

/** The entry of the menu whose page has a name nearest to what was typed, or null where none is near. */
export function nearestLink(
  typed: string,
  links: Iterable<HTMLAnchorElement> = document.querySelectorAll<HTMLAnchorElement>(
    '#menu a[href]',
  ),
): HTMLAnchorElement | null {
  const wanted = typed.slice(0, MAX_CHARS).toLowerCase();
  let nearest: HTMLAnchorElement | null = null;
  let least = Math.min(MAX_SLIPS + 1, Math.ceil(wanted.length / 3));
  for (const link of links) {
    const name = pageName(link.pathname).toLowerCase();
    // A prefix, as in "eth_getProof", is left out as often as it is written.
    for (const each of [name, name.replace(/^[^_.]*[_.]/, '')]) {
      const slips = countSlips(wanted, each);
      if (slips >= least) continue;
      least = slips;
      nearest = link;
    }
  }
  return nearest;
}

/** The last name of a path, without the ending of a file: "eth_getproof" of "/methods/eth_getproof.html". */
export function pageName(path: string): string {
  const name = path.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(name).replace(/\.[a-z]+$/i, '');
  } catch {
    return '';
  }
}

/** Letters to add, drop or change to make one word of the other (Levenshtein). */
function countSlips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_SLIPS) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 0; at < a.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= b.length; index += 1) {
      const changed = row[index - 1]! + (a[at] === b[index - 1] ? 0 : 1);
      next.push(Math.min(changed, row[index]! + 1, next[index - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
