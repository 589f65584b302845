import { loadOnce } from './load-once.ts';

/** What a server says of the networks it is wired to; lies beside the pages as config.json. */
export interface SiteConfig {
  readonly networks: readonly SiteNetwork[];
  /** A key anyone may use here, or null. */
  readonly key: string | null;
}

export interface SiteNetwork {
  readonly name: string;
  readonly family: string | null;
  /** With a key, or `<API_KEY>` in its place; null where there is no such address. */
  readonly http: string | null;
  readonly ws: string | null;
}

const config = loadOnce(async () => {
  const response = await fetch(siteUrl('config.json'));
  if (!response.ok) throw new Error(`config.json: HTTP ${response.status}`);
  return (await response.json()) as SiteConfig;
});

/** Loads the configuration once. Rejects when it cannot be loaded; the next call tries again. */
export function loadSiteConfig(): Promise<SiteConfig> {
  return config.load();
}

/** The address of a file of the site, whatever path it is served under. */
export function siteUrl(path: string): string {
  const root = document.documentElement.dataset['root'] ?? '';
  return new URL(`${root}${path}`, location.href).href;
}
