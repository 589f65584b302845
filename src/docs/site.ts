import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SiteFile {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Hash of the content, without encoding. */
  readonly hash: string;
  /** Whether the name changes with the content, so that caches may keep the file forever. */
  readonly isImmutable: boolean;
}

/** Files by path, such as "methods/eth_getProof.html". */
export type Site = ReadonlyMap<string, SiteFile>;

/** Bounds of a documentation site. */
const MAX_FILES = 20_000;
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads a site into memory, so that no other files can be requested. Rejects if the folder has no
 * site.
 */
export async function loadSite(folder: string): Promise<Site> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length > MAX_FILES) throw new Error(`${folder} has more than ${MAX_FILES} files`);
  const site = new Map<string, SiteFile>();
  let bytes = 0;
  for (const { parentPath, name } of files) {
    const place = join(parentPath, name);
    const body = await readFile(place);
    bytes += body.length;
    if (bytes > MAX_BYTES) throw new Error(`${folder} has more than ${MAX_BYTES} bytes`);
    const path = relative(folder, place).replaceAll('\\', '/');
    site.set(path, fileOf(path, body));
  }
  if (!site.has('index.html')) throw new Error(`${folder} has no index.html`);
  return site;
}

/** Creates a file with the content type of its extension. */
export function fileOf(path: string, body: Uint8Array): SiteFile {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return {
    body,
    contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream',
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    isImmutable: IMMUTABLE.test(path),
  };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** Files that pagefind names by their content. */
const IMMUTABLE = /^pagefind\/(?:fragment|index|filter)\/|\.pf_meta$/;

/** The usual name of the page for missing files. */
export const MISSING_PAGE = '404.html';

/** Each level of the path makes every link of the page longer. */
const MAX_DEPTH = 16;

/**
 * Returns a function that returns the page for a missing file, or null if the site has none. Its absolute
 * links are made relative to the path of the file, so that a proxy can serve the site below another path.
 * All paths of a depth share one page: making it takes longer than any other request.
 */
export function missingPages(site: Site): (path: string) => SiteFile | null {
  const pages: (SiteFile | null)[] = [];
  return (path) => {
    const depth = depthOf(path);
    if (depth < 0 || depth > MAX_DEPTH) return null;
    pages[depth] ??= missingPageAt(site, depth);
    return pages[depth];
  };
}

/** Returns the number of folders in a path, or more than `MAX_DEPTH`; -1 for a path without a slash. */
function depthOf(path: string): number {
  let depth = -1;
  let at = path.indexOf('/');
  for (; at !== -1 && depth <= MAX_DEPTH; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

function missingPageAt(site: Site, depth: number): SiteFile | null {
  const page = site.get(MISSING_PAGE);
  if (page === undefined) return null;
  const html = Buffer.from(page.body).toString();
  const [, base = '/'] = / data-root="([^"]*)"/.exec(html) ?? [];
  const relative = html.replaceAll(`="${base}`, `="${'../'.repeat(depth)}`);
  return fileOf(MISSING_PAGE, Buffer.from(relative));
}

/** Folder of this service's own site, in the repository and in the package. */
export const ownSite = fileURLToPath(new URL('../../docs-site/dist', import.meta.url));
