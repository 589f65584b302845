import { loadSiteConfig } from './site-config.ts';

/** Shows the addresses this site is wired to, where they are others than the document's. */
export async function startNetworks(): Promise<void> {
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
