import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  plainAnswer,
  serveAnswers,
  type AnswersOptions,
  type PageAnswer,
  type PageRequest,
  type PageServer,
} from '../transport/serve-pages.ts';
import { fileOf, loadSite, type Site, MISSING_PAGE, missingPages, type SiteFile } from './site.ts';
import { readAcceptEncoding } from '../transport/compression.ts';

/** A network as shown on the pages; its URLs contain the key or a placeholder. */
interface DocumentedNetwork {
  readonly name: string;
  readonly family: string;
  readonly http: string;
  readonly ws: string;
}

export interface DocsOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly folder: string;
  /** Resolves when the site is built; undefined if it already is. */
  readonly ready?: Promise<unknown>;
  readonly networks: readonly DocumentedNetwork[];
  /** A public key for the console; undefined: none. */
  readonly demoKey: string | undefined;
  /** The OpenRPC document as JSON text. */
  readonly document: string;
  /** Called when the site cannot be served, and again only for another reason. */
  readonly onFailure: (error: unknown) => void;
  /** Resolves once a request may be answered; returns undefined if that is now. Absent: always. */
  readonly turn?: AnswersOptions['turn'];
}

/**
 * Serves a documentation site with the addresses of this gateway's networks. The site is read on the
 * first request; without a site, responses say how to build it.
 */
export function serveDocs({ host, port, turn, ...options }: DocsOptions): Promise<PageServer> {
  const { networks, demoKey, document, folder, ready, onFailure } = options;
  const headers = {
    'content-security-policy': policyFor(networks),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  const built = ready?.catch(onFailure);
  const open = async (): Promise<(asked: PageRequest) => Promise<PageAnswer>> => {
    // If the build failed, the previous site may still exist.
    await built;
    const files: Site = new Map([
      ...(await loadSite(folder)),
      ['config.json', fileOf('config.json', jsonBytes({ networks, key: demoKey ?? null }))],
      ['openrpc.json', fileOf('openrpc.json', Buffer.from(document))],
    ]);
    const answer = createSiteAnswers(files, headers);
    return async (asked) => {
      const answered = await answer(asked);
      const isDocument = asked.path === '/openrpc.json';
      // Tools of other origins may read the document.
      const shared = isDocument ? { 'access-control-allow-origin': '*' } : {};
      return { ...answered, headers: { ...answered.headers, ...shared } };
    };
  };
  let opening: ReturnType<typeof open> | undefined;
  let reported: string | undefined;
  const answer = async (asked: PageRequest): Promise<PageAnswer> => {
    try {
      opening ??= open();
      return await (
        await opening
      )(asked);
    } catch (error) {
      opening = undefined;
      // Requests without a key must not fill the log.
      if (reported !== String(error)) onFailure(error);
      reported = String(error);
      const text = 'documentation not found: run "npm run docs", or set docs.folder to a site\n';
      return plainAnswer(503, text, headers);
    }
  };
  return serveAnswers({ host, port, answer, turn });
}

/** Allows connections to the site itself and to its networks only. */
function policyFor(networks: readonly DocumentedNetwork[]): string {
  const origins = networks.flatMap(({ http, ws }) => [originOf(http), originOf(ws)]);
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

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
 * Serves the files of a site: index.html for a folder, and 304 for an unchanged file. Files are
 * compressed if the client accepts it; compressed files are cached. Browsers get 404.html for missing
 * files.
 */
export function createSiteAnswers(site: Site, headers: OutgoingHttpHeaders) {
  const compressed = new Map<string, Promise<Uint8Array>>();
  const missingPage = missingPages(site);

  return async ({ method, path, headers: asked }: PageRequest): Promise<PageAnswer> => {
    const name = fileName(path);
    const file = name === null ? undefined : site.get(name);
    const isRead = method === 'GET' || method === 'HEAD';
    if (name === null || file === undefined || name === MISSING_PAGE) {
      const page = isRead && wantsPage(asked) ? missingPage(path) : null;
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
  // No list is split, which takes long for a header of 16 KB. A tag contains no quotes but its own.
  return header !== undefined && (header.trim() === '*' || header.includes(etag));
}
