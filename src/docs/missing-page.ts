import { fileOf, type Site, type SiteFile } from './site.ts';

/** As servers of files know it: it is the answer for everything else, and for itself. */
export const MISSING_PAGE = '404.html';

/** Deeper addresses are no reader's: each level makes every link of the page longer. */
const MAX_DEPTH = 16;

/**
 * The page a site has for what is not there, or null. Its links begin at the root of the host, or at a
 * path below it; they are led there from the depth of `path`, so that a proxy may put the site below a
 * path of its own.
 */
export function missingPage(site: Site, path: string): SiteFile | null {
  const page = site.get(MISSING_PAGE);
  const depth = path.split('/').length - 2;
  if (page === undefined || depth < 0 || depth > MAX_DEPTH) return null;
  const html = Buffer.from(page.body).toString();
  const [, base = '/'] = / data-root="([^"]*)"/.exec(html) ?? [];
  const relative = html.replaceAll(`="${base}`, `="${'../'.repeat(depth)}`);
  return fileOf(MISSING_PAGE, Buffer.from(relative));
}
