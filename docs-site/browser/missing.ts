import { nearestLink, pageName } from './nearest.ts';
import { loadDialog } from './search/load-dialog.ts';

/** On the page for what is not there: names the page that may have been meant, and looks for it. */
export function startMissing(): void {
  const page = document.querySelector('[data-missing]');
  if (page === null) return;
  const wanted = pageName(location.pathname).slice(0, 80);
  const look = page.querySelector<HTMLButtonElement>('[data-look]');
  if (look !== null && wanted !== '') {
    look.hidden = false;
    look.textContent = `Search for “${wanted}”`;
    look.addEventListener('click', () => {
      void loadDialog().then(({ openSearch }) => openSearch(wanted));
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
