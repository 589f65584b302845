import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readAcceptEncoding } from '../transport/compression.ts';
import { plainAnswer, type PageAnswer, type PageRequest } from '../transport/serve-pages.ts';
import { MISSING_PAGE, missingPage, type Site, type SiteFile } from './site.ts';

const compressors = {
  br: (body: Uint8Array) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Uint8Array) => promisify(gzip)(body),
} as const;

/** Smaller files are not compressed. */
const MIN_BYTES = 1024;

/** Cached for a year without revalidation (RFC 9111, RFC 8246). */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Answers requests for the files of a site: index.html for a folder, 304 for an unchanged file, and
 * compressed if the client accepts it. Compressed files are cached. Browsers get 404.html for missing
 * files.
 */
export function createSiteAnswers(site: Site, headers: OutgoingHttpHeaders) {
  const compressed = new Map<string, Promise<Uint8Array>>();

  return async ({ method, path, headers: asked }: PageRequest): Promise<PageAnswer> => {
    const name = fileName(path);
    const file = name === null ? undefined : site.get(name);
    const isRead = method === 'GET' || method === 'HEAD';
    if (name === null || file === undefined || name === MISSING_PAGE) {
      const page = isRead && wantsPage(asked) ? missingPage(site, path) : null;
      if (page === null) return plainAnswer(404, 'not found\n', headers);
      return {
        status: 404,
        headers: { ...headers, 'content-type': page.contentType },
        body: page.body,
      };
    }
    if (!isRead) return plainAnswer(405, 'GET only\n', { ...headers, allow: 'GET, HEAD' });
    const encoding = chooseEncoding(file, asked);
    const etag = `"${file.hash}${encoding === null ? '' : `-${encoding}`}"`;
    const common = {
      ...headers,
      'content-type': file.contentType,
      'cache-control': file.isImmutable ? IMMUTABLE : 'no-cache',
      etag,
      vary: 'accept-encoding',
    };
    if (hasTag(asked['if-none-match'], etag)) {
      return { status: 304, headers: common, body: new Uint8Array() };
    }
    if (encoding === null) return { status: 200, headers: common, body: file.body };
    const key = `${encoding} ${name}`;
    const body = compressed.get(key) ?? compressors[encoding](file.body);
    compressed.set(key, body);
    return {
      status: 200,
      headers: { ...common, 'content-encoding': encoding },
      body: await body,
    };
  };
}

/** Returns the path of a file in the site, or null if the URL path is invalid. */
function fileName(path: string): string | null {
  try {
    const name = decodeURIComponent(path.slice(1));
    return name === '' || name.endsWith('/') ? `${name}index.html` : name;
  } catch {
    return null;
  }
}

/** Only browsers get a page for missing files. */
function wantsPage({ accept }: IncomingHttpHeaders): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}

function chooseEncoding({ body, contentType }: SiteFile, asked: IncomingHttpHeaders) {
  if (body.length < MIN_BYTES || contentType === 'application/octet-stream') return null;
  return readAcceptEncoding(asked['accept-encoding']?.toString()).coding ?? null;
}

function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
