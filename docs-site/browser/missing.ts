import { nearestLink, pageName } from './nearest.ts';
import { openSearch } from './search.ts';

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
  const nearest = nearestLink(wanted);
  const suggestion = page.querySelector<HTMLElement>('[data-meant]');
  const link = suggestion?.querySelector('a');
  if (nearest === null || !suggestion || !link) return;
  link.href = nearest.href;
  link.textContent = nearest.textContent.trim();
  suggestion.hidden = false;
}
