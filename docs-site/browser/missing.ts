/** Longer addresses were not typed by hand. */
const MAX_CHARS = 80;

/** More slips than these, and another page was meant. */
const MAX_SLIPS = 3;

/** On the page for what is not there: names the page that may have been meant, and looks for it. */
export function startMissing(): void {
  const page = document.querySelector('[data-missing]');
  if (page === null) return;
  const wanted = wantedName(location.pathname).slice(0, MAX_CHARS);
  const look = page.querySelector<HTMLButtonElement>('[data-look]');
  if (look !== null && wanted !== '') {
    look.hidden = false;
    look.textContent = `Search for “${wanted}”`;
    look.addEventListener('click', () => {
      void import('./search/dialog.ts').then(({ openSearch }) => openSearch(wanted));
    });
  }
  const nearest = nearestLink(wanted);
  const meant = page.querySelector<HTMLElement>('[data-meant]');
  const link = meant?.querySelector('a');
  if (nearest === null || !meant || !link) return;
  link.href = nearest.href;
  link.textContent = nearest.textContent.trim();
  meant.hidden = false;
}

/** The last name of a path, without the ending of a file: "eth_getproof" of "/methods/eth_getproof.html". */
function wantedName(path: string): string {
  const name = path.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(name).replace(/\.[a-z]+$/i, '');
  } catch {
    return '';
  }
}

/** The entry of the menu whose page's name is nearest. */
function nearestLink(wanted: string): HTMLAnchorElement | null {
  let nearest: HTMLAnchorElement | null = null;
  let least = Math.min(MAX_SLIPS + 1, Math.ceil(wanted.length / 2));
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#menu a[href]')) {
    const slips = countSlips(wanted.toLowerCase(), wantedName(link.pathname).toLowerCase());
    if (slips >= least) continue;
    least = slips;
    nearest = link;
  }
  return nearest;
}

/** Letters to add, drop or change to make one word of the other (Levenshtein). */
function countSlips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_SLIPS) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= b.length; index += 1) {
      const changed = row[index - 1]! + (letter === b[index - 1] ? 0 : 1);
      next.push(Math.min(changed, row[index]! + 1, next[index - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
