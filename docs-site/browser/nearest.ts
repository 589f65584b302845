import { editDistance } from '../../common/validators-runtime/nearest-name.js';

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
  let limit = Math.min(MAX_SLIPS + 1, Math.ceil(wanted.length / 3));
  for (const link of links) {
    const name = pageName(link.pathname).toLowerCase();
    // A prefix, as in "eth_getProof", is left out as often as it is written.
    for (const each of [name, name.replace(/^[^_.]*[_.]/, '')]) {
      const slips = editDistance(wanted, each);
      if (slips >= limit) continue;
      limit = slips;
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
