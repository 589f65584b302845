import {
  plainAnswer,
  serveAnswers,
  type PageAnswer,
  type PageRequest,
  type PageServer,
} from '../transport/serve-pages.ts';
import { createSiteAnswers } from './answer-site.ts';
import { fileOf, loadSite, type Site } from './site.ts';

/** A network as the pages show it, the key (or its place) in the addresses. */
export interface DocumentedNetwork {
  readonly name: string;
  readonly family: string;
  readonly http: string;
  readonly ws: string;
}

export interface DocsOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Folder of the site. */
  readonly folder: string;
  /** The folder is not read before; nothing to wait for when absent. */
  readonly ready?: Promise<unknown>;
  readonly networks: readonly DocumentedNetwork[];
  /** A key anyone may use here; undefined: none. */
  readonly demoKey: string | undefined;
  /** The OpenRPC document, as it was written. */
  readonly document: string;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The documentation port: a site, wired to the networks that are served here. The site is read when
 * it is first asked for; while there is none, callers are told how to make it.
 */
export function serveDocs({ host, port, ...options }: DocsOptions): Promise<PageServer> {
  const { networks, demoKey, document, folder, ready, onFailure } = options;
  const headers = {
    'content-security-policy': policyFor(networks),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  const open = async (): Promise<(asked: PageRequest) => Promise<PageAnswer>> => {
    // What could not be built anew may still be there from before.
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
      // The document is for tools of other origins as well.
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
      const fix = 'run "npm run docs", or name the folder of a site in the configuration';
      return plainAnswer(503, `there is no documentation here: ${fix}\n`, headers);
    }
  };
  return serveAnswers({ host, port, answer });
}

/** Only the site itself, and the networks it is wired to. */
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
