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

let loading: Promise<SiteConfig> | undefined;

/** Asks once. Rejects when the file cannot be had. */
export function loadSiteConfig(): Promise<SiteConfig> {
  loading ??= fetch(siteUrl('config.json')).then((response) => {
    if (!response.ok) throw new Error(`config.json: HTTP ${response.status}`);
    return response.json() as Promise<SiteConfig>;
  });
  return loading;
}

/** The address of a file of the site, whatever path it is served under. */
export function siteUrl(path: string): string {
  const root = document.documentElement.dataset['root'] ?? '';
  return new URL(`${root}${path}`, location.href).href;
}
