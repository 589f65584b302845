import { siteUrl } from '../site-config.ts';

/** Something the search found. */
export interface Found {
  readonly url: string;
  readonly title: string;
  readonly kind: string;
  readonly context: string;
  /** Plain text around what was looked for, in pieces; every second piece is what was found. */
  readonly excerpt: readonly string[];
}

interface Pagefind {
  init(): Promise<void>;
  debouncedSearch(term: string, options: object, wait_ms: number): Promise<PagefindResults | null>;
}

interface PagefindResults {
  readonly results: readonly { data(): Promise<PagefindData> }[];
}

interface PagefindData {
  readonly raw_url?: string;
  readonly url: string;
  readonly excerpt: string;
  readonly meta: Readonly<Record<string, string>>;
}

const SHOWN = 24;
const WAIT_MS = 60;

let loading: Promise<Pagefind> | undefined;

/** Looks for `term`; null when another search has begun since. */
export async function find(term: string): Promise<readonly Found[] | null> {
  loading ??= load();
  const pagefind = await loading;
  const search = await pagefind.debouncedSearch(term, {}, WAIT_MS);
  if (search === null) return null;
  const found = await Promise.all(search.results.slice(0, SHOWN).map((result) => result.data()));
  return found.map(({ raw_url, url, excerpt, meta }) => ({
    url: siteUrl(raw_url ?? url),
    title: meta['title'] ?? '',
    kind: meta['kind'] ?? '',
    context: meta['context'] ?? '',
    // What is indexed begins with what is shown above it.
    excerpt: behind(
      `${meta['title']} ${meta['context']} `,
      excerpt.split(/<\/?mark>/).map(plainText),
    ),
  }));
}

async function load(): Promise<Pagefind> {
  const pagefind = (await import(siteUrl('pagefind/pagefind.js'))) as Pagefind;
  await pagefind.init();
  return pagefind;
}

/** The pieces of a text without what it begins with. */
function behind(start: string, pieces: readonly string[]): readonly string[] {
  if (!pieces.join('').startsWith(start)) return pieces;
  let left = start.length;
  return pieces.map((piece) => {
    const rest = piece.slice(left);
    left = Math.max(0, left - piece.length);
    return rest;
  });
}

// Within an element, so that spaces at the ends are kept.
function plainText(html: string): string {
  return new DOMParser().parseFromString(`<p>${html}</p>`, 'text/html').body.textContent;
}
