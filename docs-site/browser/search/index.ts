import { loadModule } from '../load-module.ts';
import { nearestLink } from '../nearest.ts';
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
  destroy(): Promise<void>;
  search(term: string): Promise<PagefindResults>;
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

/** What was found, the best first. */
export interface Results {
  readonly found: readonly Found[];
  /** How many there are, shown or not. */
  readonly total: number;
}

const SHOWN = 24;
const WAIT_MS = 60;

/** Where nothing holds all the words, so many of them are looked for by themselves. */
const MAX_WORDS = 4;

/** Shorter ones are in too many texts. */
const MIN_WORD_CHARS = 4;

const pagefindModule = loadModule<Pagefind>('pagefind/pagefind.js');

/** Looks for `term`; null when another search has begun since. */
export async function find(term: string): Promise<Results | null> {
  const pagefind = await pagefindModule.load();
  try {
    return await findWith(pagefind, term);
  } catch (error) {
    // It keeps files that failed to load as failed: the next search starts with a new one.
    pagefindModule.reset();
    void pagefind.destroy();
    throw error;
  }
}

async function findWith(pagefind: Pagefind, term: string): Promise<Results | null> {
  const search = await pagefind.debouncedSearch(term, {}, WAIT_MS);
  if (search === null) return null;
  const results = search.results.length > 0 ? search.results : await findWord(term, pagefind);
  const data = await Promise.all(results.slice(0, SHOWN).map((result) => result.data()));
  const found = data.map(readFound);
  const meant = methodMeant(term);
  const isThere = meant === null || found.slice(0, 3).some(({ url }) => url === meant.url);
  return isThere
    ? { found, total: results.length }
    : {
        found: [meant, ...found.filter(({ url }) => url !== meant.url)],
        total: results.length + 1,
      };
}

/** What holds the longest of several words that anything holds. */
async function findWord(term: string, pagefind: Pagefind): Promise<PagefindResults['results']> {
  const words = term.split(/\s+/).filter(({ length }) => length >= MIN_WORD_CHARS);
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  for (const word of longest) {
    const { results } = await pagefind.search(word);
    if (results.length > 0) return results;
  }
  return [];
}

/** The method whose name was typed with a slip or two. */
function methodMeant(term: string): Found | null {
  if (term.length < MIN_WORD_CHARS) return null;
  const link = nearestLink(term, document.querySelectorAll('#menu .names a[href]'));
  if (link === null) return null;
  const title = link.textContent.trim();
  return { url: link.href, title, kind: 'method', context: '', excerpt: [] };
}

function readFound({ raw_url, url, excerpt, meta }: PagefindData): Found {
  return {
    url: siteUrl(raw_url ?? url),
    title: meta['title'] ?? '',
    kind: meta['kind'] ?? '',
    context: meta['context'] ?? '',
    // What is indexed begins with what is shown above it.
    excerpt: behind(
      `${meta['title']} ${meta['context']} `,
      excerpt.split(/<\/?mark>/).map(plainText),
    ),
  };
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
