import { nearestPage } from '../nearest.ts';
import { loadModule, loadPageNames, siteUrl } from '../site-files.ts';

/** A search result. */
export interface Found {
  readonly url: string;
  readonly title: string;
  readonly kind: string;
  readonly context: string;
  /** Text around the match in pieces; every second piece is a match. */
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

/** Results, best first. */
export interface Results {
  readonly found: readonly Found[];
  /** Number of results, including those not in `found`. */
  readonly total: number;
}

const MAX_FOUND = 24;
const WAIT_MS = 60;

/** Maximum number of words that are searched separately when nothing contains all of them. */
const MAX_WORDS = 4;

/** Shorter words match too many texts. */
const MIN_WORD_CHARACTERS = 4;

const pagefindModule = loadModule<Pagefind>('pagefind/pagefind.js');

/** Searches for `term`; returns null when another search has begun since. */
export async function find(term: string): Promise<Results | null> {
  const pagefind = await pagefindModule.load();
  try {
    return await findWith(pagefind, term);
  } catch (error) {
    // Pagefind remembers files that failed to load, so the next search needs a new instance.
    pagefindModule.reset();
    void pagefind.destroy();
    throw error;
  }
}

async function findWith(pagefind: Pagefind, term: string): Promise<Results | null> {
  const search = await pagefind.debouncedSearch(term, {}, WAIT_MS);
  if (search === null) return null;
  const results = search.results.length > 0 ? search.results : await findWord(term, pagefind);
  const data = await Promise.all(results.slice(0, MAX_FOUND).map((result) => result.data()));
  const found = data.map(readFound);
  const method = await nearestMethod(term);
  const isFound = method === null || found.slice(0, 3).some(({ url }) => url === method.url);
  return isFound
    ? { found, total: results.length }
    : {
        found: [method, ...found.filter(({ url }) => url !== method.url)],
        total: results.length + 1,
      };
}

/** Searches for single words, longest first, until one has results. */
async function findWord(term: string, pagefind: Pagefind): Promise<PagefindResults['results']> {
  const words = term.split(/\s+/).filter(({ length }) => length >= MIN_WORD_CHARACTERS);
  const ordered = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  for (const word of ordered) {
    const { results } = await pagefind.search(word);
    if (results.length > 0) return results;
  }
  return [];
}

/** Returns the method whose name is close to a mistyped term. */
async function nearestMethod(term: string): Promise<Found | null> {
  if (term.length < MIN_WORD_CHARACTERS) return null;
  const pages = await loadPageNames();
  const method = nearestPage(
    term,
    pages.filter(({ path }) => path.startsWith('methods/')),
  );
  if (method === null) return null;
  const { title, path } = method;
  return { url: siteUrl(`${path}.html`), title, kind: 'method', context: '', excerpt: [] };
}

function readFound({ raw_url, url, excerpt, meta }: PagefindData): Found {
  return {
    url: siteUrl(raw_url ?? url),
    title: meta['title'] ?? '',
    kind: meta['kind'] ?? '',
    context: meta['context'] ?? '',
    // Indexed text begins with the title and context, which are shown separately.
    excerpt: withoutPrefix(
      `${meta['title']} ${meta['context']} `,
      excerpt.split(/<\/?mark>/).map(plainText),
    ),
  };
}

/** Removes the beginning of a text that is split into pieces. */
function withoutPrefix(prefix: string, pieces: readonly string[]): readonly string[] {
  if (!pieces.join('').startsWith(prefix)) return pieces;
  let left = prefix.length;
  return pieces.map((piece) => {
    const rest = piece.slice(left);
    left = Math.max(0, left - piece.length);
    return rest;
  });
}

// An element around the text keeps leading and trailing spaces.
function plainText(html: string): string {
  return new DOMParser().parseFromString(`<p>${html}</p>`, 'text/html').body.textContent;
}
