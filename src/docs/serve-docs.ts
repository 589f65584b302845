import {
  plainAnswer,
  serveAnswers,
  type PageAnswer,
  type PageRequest,
  type PageServer,
} from '../transport/serve-pages.ts';
import { createSiteAnswers } from './answer-site.ts';
import { fileOf, loadSite, type Site } from './site.ts';

/** A network as shown on the pages; its URLs contain the key or a placeholder. */
export interface DocumentedNetwork {
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
  readonly onFailure: (error: unknown) => void;
}

/**
 * Serves a documentation site with the addresses of this gateway's networks. The site is read on the
 * first request; without a site, responses say how to build it.
 */
export function serveDocs({ host, port, ...options }: DocsOptions): Promise<PageServer> {
  const { networks, demoKey, document, folder, ready, onFailure } = options;
  const headers = {
    'content-security-policy': policyFor(networks),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  const open = async (): Promise<(asked: PageRequest) => Promise<PageAnswer>> => {
    // If the build failed, the previous site may still exist.
    await ready?.catch(onFailure);
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
  const answer = async (asked: PageRequest): Promise<PageAnswer> => {
    try {
      opening ??= open();
      return await (
        await opening
      )(asked);
    } catch (error) {
      opening = undefined;
      onFailure(error);
      const text = 'documentation not found: run "npm run docs", or set docs.folder to a site\n';
      return plainAnswer(503, text, headers);
    }
  };
  return serveAnswers({ host, port, answer });
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
