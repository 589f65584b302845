import { editDistance } from '../../common/validators-runtime/nearest-name.js';
import type { PageName } from './site-files.ts';

/** Names with more edits are not suggested. */
const MAX_EDITS = 3;

const MAX_CHARACTERS = 80;

/** Returns the page with the name nearest to what was typed; null when none is near. */
export function nearestPage(typed: string, pages: readonly PageName[]): PageName | null {
  const wanted = typed.slice(0, MAX_CHARACTERS).toLowerCase();
  let nearest: PageName | null = null;
  let limit = Math.min(MAX_EDITS + 1, Math.ceil(wanted.length / 3));
  for (const page of pages) {
    const name = pageName(`${page.path}.html`).toLowerCase();
    // Readers often omit a prefix such as "eth_".
    for (const each of [name, name.replace(/^[^_.]*[_.]/, '')]) {
      if (Math.abs(wanted.length - each.length) >= limit) continue;
      const edits = editDistance(wanted, each);
      if (edits >= limit) continue;
      limit = edits;
      nearest = page;
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
