import { safeUrl } from '../html.ts';
import { fragmentOf } from '../ids.ts';
import { rootFrom, type Site } from '../site.ts';

/** Pages made from the document that a text may link to, beside guides, methods and types. */
const PAGES = new Set(['index', 'errors', 'credits', 'networks', 'decisions', 'types/index']);

/**
 * Where a link in a text leads from the page at `path`: out of the site (http, https, mail), to
 * another page or place of it, or null: nowhere that is known, so that it is shown as plain text.
 */
export function linkTarget(href: string, path: string, site: Site): string | null {
  const [, target = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(href) ?? [];
  if (target === '') return hash === '' ? null : fragmentOf(decode(hash.slice(1)));
  const outside = safeUrl(href);
  if (outside !== null) return outside;
  if (/^[a-z][a-z\d+.-]*:|^\/|\\/i.test(target)) return null;
  const page = new URL(target, `https://site.invalid/${path}`).pathname.slice(1);
  if (!isPage(decode(page), site)) return null;
  return rootFrom(path) + page.replace(/\.md$/, '.html') + hash;
}

function isPage(path: string, site: Site): boolean {
  if (path === 'openrpc.json') return true;
  const [, name] = /^(.*)\.(?:md|html)$/.exec(path) ?? [];
  if (name === undefined) return false;
  return (
    PAGES.has(name) ||
    site.guides.some((guide) => guide.path === name) ||
    site.model.methods.some((method) => site.methodPath(method.name) === name) ||
    [...site.model.schemas.keys()].some((schema) => site.typePath(schema) === name)
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
