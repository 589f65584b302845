import { editDistance } from '../../common/validators-runtime/nearest-name.js';

/** Names with more edits are not suggested. */
const MAX_EDITS = 3;

const MAX_CHARACTERS = 80;

/** Returns the menu entry with the name nearest to what was typed; null when none is near. */
export function nearestLink(
  typed: string,
  links: Iterable<HTMLAnchorElement> = document.querySelectorAll<HTMLAnchorElement>(
    '#menu a[href]',
  ),
): HTMLAnchorElement | null {
  const wanted = typed.slice(0, MAX_CHARACTERS).toLowerCase();
  let nearest: HTMLAnchorElement | null = null;
  let limit = Math.min(MAX_EDITS + 1, Math.ceil(wanted.length / 3));
  for (const link of links) {
    const name = pageName(link.pathname).toLowerCase();
    // Readers often omit a prefix such as "eth_".
    for (const each of [name, name.replace(/^[^_.]*[_.]/, '')]) {
      const edits = editDistance(wanted, each);
      if (edits >= limit) continue;
      limit = edits;
      nearest = link;
    }
  }
  return nearest;
}

/** Returns the last name in a path without its extension: "eth_getproof" for "/methods/eth_getproof.html". */
export function pageName(path: string): string {
  const name = path.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(name).replace(/\.[a-z]+$/i, '');
  } catch {
    return '';
  }
}
