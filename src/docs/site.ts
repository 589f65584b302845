import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A file of a site, ready to be sent. */
export interface SiteFile {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Of the content; an encoding adds its name. */
  readonly hash: string;
  /** The name changes with the content, so that it may be kept for ever. */
  readonly isImmutable: boolean;
}

/** The files of a site by their path, "methods/eth_getProof.html". */
export type Site = ReadonlyMap<string, SiteFile>;

/** More, or larger together, is no documentation. */
const MAX_FILES = 20_000;
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads the site in a folder into memory: what is not in it when it is read can never be asked for.
 * Rejects when there is none.
 */
export async function loadSite(folder: string): Promise<Site> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length > MAX_FILES) throw new Error(`${folder} holds more than ${MAX_FILES} files`);
  const site = new Map<string, SiteFile>();
  let bytes = 0;
  for (const { parentPath, name } of files) {
    const place = join(parentPath, name);
    const body = await readFile(place);
    bytes += body.length;
    if (bytes > MAX_BYTES) throw new Error(`${folder} holds more than ${MAX_BYTES} bytes`);
    const path = relative(folder, place).replaceAll('\\', '/');
    site.set(path, fileOf(path, body));
  }
  if (!site.has('index.html')) throw new Error(`${folder} holds no index.html`);
  return site;
}

/** A file with what its name says of it. */
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

/** What pagefind names by its content. */
const IMMUTABLE = /^pagefind\/(?:fragment|index|filter)\/|\.pf_meta$/;
