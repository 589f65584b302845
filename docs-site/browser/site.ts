import { startCalculator } from './calculator.ts';
import { startCopying } from './copy.ts';
import { startDeepLinks } from './deep-links.ts';
import { startMissing } from './missing.ts';
import { startSearch } from './search.ts';
import { loadSiteConfig } from './site-files.ts';
import { startTabs } from './tabs.ts';
import { startThemeButton } from './theme-button.ts';
import { startTryIt } from './try-it/start.ts';

startThemeButton();
scrollMenu();
startMissing();
startTabs();
startCopying();
startDeepLinks();
startCalculator();
startSearch();
startTryIt();
// If this fails, the page still shows the addresses of the document.
showNetworks().catch(() => undefined);

/** Scrolls a menu longer than the window to the entry of the page. */
function scrollMenu(): void {
  const menu = document.getElementById('menu');
  const current = menu?.querySelector<HTMLElement>('[aria-current]');
  if (!menu || !current) return;
  const { top, bottom } = menu.getBoundingClientRect();
  const entry = current.getBoundingClientRect();
  if (entry.bottom > bottom) menu.scrollTop += entry.top - (top + bottom) / 2;
}

/** Shows the addresses of this server where they differ from those of the document. */
async function showNetworks(): Promise<void> {
  const sections = document.querySelectorAll<HTMLElement>('section[data-network]');
  if (sections.length === 0) return;
  const { networks } = await loadSiteConfig();
  for (const section of sections) {
    const network = networks.find(({ name }) => name === section.dataset['network']);
    for (const side of ['http', 'ws'] as const) {
      const place = section.querySelector(`[data-${side}]`);
      const url = network?.[side];
      if (place !== null && typeof url === 'string') place.textContent = url;
    }
  }
}
