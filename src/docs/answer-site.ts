import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { plainAnswer, type PageAnswer, type PageRequest } from '../transport/serve-pages.ts';
import { MISSING_PAGE, missingPage } from './missing-page.ts';
import type { Site, SiteFile } from './site.ts';

const compressors = {
  br: (body: Uint8Array) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Uint8Array) => promisify(gzip)(body),
} as const;

type Encoding = keyof typeof compressors;

/** Smaller answers are sent as they are. */
const MIN_BYTES = 1024;

/** A year: what is never to be asked for again (RFC 9111, RFC 8246). */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Answers requests for the files of a site: a folder's index.html for the folder, 304 where the
 * caller has it already, compressed where the caller takes that. What is compressed is kept. A reader
 * who asks for what is not there is shown the site's own page of that, 404.html.
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

/** The path of a file of the site, or null for what is no path. */
function fileName(path: string): string | null {
  try {
    const name = decodeURIComponent(path.slice(1));
    return name === '' || name.endsWith('/') ? `${name}index.html` : name;
  } catch {
    return null;
  }
}

/** Programs that ask for a file have no use for a page. */
function wantsPage({ accept }: IncomingHttpHeaders): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}

function chooseEncoding({ body, contentType }: SiteFile, asked: IncomingHttpHeaders) {
  if (body.length < MIN_BYTES || contentType === 'application/octet-stream') return null;
  const accepted = new Set(
    String(asked['accept-encoding'] ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim()),
  );
  return (['br', 'gzip'] as const).find((name: Encoding) => accepted.has(name)) ?? null;
}

function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
