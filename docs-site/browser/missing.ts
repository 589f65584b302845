import { nearestPage, pageName } from './nearest.ts';
import { openSearch } from './search.ts';
import { loadPageNames, siteUrl } from './site-files.ts';

const MAX_TERM_CHARACTERS = 80;

/** On the "not found" page: suggests the nearest page and a search. */
export function startMissing(): void {
  const page = document.querySelector('[data-missing]');
  if (page === null) return;
  const wanted = pageName(location.pathname).slice(0, MAX_TERM_CHARACTERS);
  const button = page.querySelector<HTMLButtonElement>('[data-look]');
  if (button !== null && wanted !== '') {
    button.hidden = false;
    button.textContent = `Search for “${wanted}”`;
    button.addEventListener('click', () => void openSearch(wanted));
  }
  // Without a suggestion the page still offers the overview and the search.
  suggestNearest(page, wanted).catch(() => undefined);
}

async function suggestNearest(page: Element, wanted: string): Promise<void> {
  const nearest = nearestPage(wanted, await loadPageNames());
  const suggestion = page.querySelector<HTMLElement>('[data-meant]');
  const link = suggestion?.querySelector('a');
  if (nearest === null || !suggestion || !link) return;
  link.href = siteUrl(`${nearest.path}.html`);
  link.textContent = nearest.title;
  suggestion.hidden = false;
}
