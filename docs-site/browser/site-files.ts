/** A file that is loaded when it is first needed. */
export interface Loader<T> {
  /** Loads once; after a failure the next call loads again. */
  load(): Promise<T>;
  /** Makes the next call load again. */
  reset(): void;
}

/** The networks of the gateway that serves the site, and a public key; served as config.json. */
export interface SiteConfig {
  readonly networks: readonly SiteNetwork[];
  /** A public key, or null. */
  readonly key: string | null;
}

export interface SiteNetwork {
  readonly name: string;
  readonly family: string | null;
  /** URL with a key, or with `<API_KEY>` in its place; null for a transport without an address. */
  readonly http: string | null;
  readonly ws: string | null;
}

/** Returns the URL of a file of the site, whatever path the site is served under. */
export function siteUrl(path: string): string {
  const root = document.documentElement.dataset['root'] ?? '';
  return new URL(`${root}${path}`, location.href).href;
}

/**
 * Returns a loader for a module of the site. Each attempt has its own URL, since Chromium remembers a
 * failed module for the life of the page. For the same reason the module must not import other files.
 */
export function loadModule<T>(path: string): Loader<T> {
  return loadOnce((loads) => {
    const url = siteUrl(path);
    return import(loads === 0 ? url : `${url}?load=${loads}`) as Promise<T>;
  });
}

const config = loadJson<SiteConfig>('config.json');

const names = loadJson<readonly (readonly [title: string, path: string])[]>('data/pages.json');

function loadJson<T>(path: string): Loader<T> {
  return loadOnce(async () => {
    const response = await fetch(siteUrl(path));
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
    return (await response.json()) as T;
  });
}

/** Loads the configuration once. Rejects when it cannot be loaded; the next call tries again. */
export function loadSiteConfig(): Promise<SiteConfig> {
  return config.load();
}

/** A page of the menu. */
export interface PageName {
  readonly title: string;
  /** Relative to the site, without extension: "methods/eth_getProof". */
  readonly path: string;
}

/** Loads the names of all pages once. Long menus do not list all of them. */
export async function loadPageNames(): Promise<readonly PageName[]> {
  return (await names.load()).map(([title, path]) => ({ title, path }));
}

/** `request` is called with the number of loads before this one. */
function loadOnce<T>(request: (loads: number) => Promise<T>): Loader<T> {
  let loading: Promise<T> | undefined;
  let loads = 0;
  const reset = (): void => {
    loading = undefined;
  };
  return {
    load() {
      if (loading !== undefined) return loading;
      const current = request(loads);
      loads += 1;
      loading = current;
      current.catch(() => {
        if (loading === current) reset();
      });
      return current;
    },
    reset,
  };
}
