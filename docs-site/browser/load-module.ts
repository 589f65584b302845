import { loadOnce, type Loader } from './load-once.ts';
import { siteUrl } from './site-config.ts';

/**
 * A loader of a module of the site. Each load has a URL of its own: Chromium keeps a module that
 * failed to load for the life of the page. The module must import no other file, whose URL would
 * stay the same.
 */
export function loadModule<T>(path: string): Loader<T> {
  return loadOnce((loads) => {
    const url = siteUrl(path);
    return import(loads === 0 ? url : `${url}?load=${loads}`) as Promise<T>;
  });
}
