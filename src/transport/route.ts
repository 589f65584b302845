/** The resource a request target names (RFC 9112, section 3.2). A missing key is the empty string. */
export type Route =
  | { readonly kind: 'rpc' | 'usage' | 'websocket'; readonly key: string }
  /** Accepts calls from anyone, over HTTP and WebSocket. */
  | { readonly kind: 'open'; readonly key: '' }
  | { readonly kind: 'document' | 'unknown' };

/** The path of nearly every request, recognized without splitting it. */
const CALL_PREFIX = '/v3/';
const PLAIN_CALL = /^\/v3\/[\w-]+$/;

/** Maximum number of parts of a known path. A path of 16 KB may have thousands. */
const MAX_PARTS = 4;

const UNKNOWN: Route = { kind: 'unknown' };
const DOCUMENT: Route = { kind: 'document' };

/**
 * Parses a path: `/v3/<key>`, `/v3/<key>/usage`, `/v3/openrpc.json` or `/ws/v3/<key>`, each with at
 * most one trailing slash. Ignores the query.
 */
export function readRoute(target: string): Route {
  if (PLAIN_CALL.test(target)) return { kind: 'rpc', key: target.slice(CALL_PREFIX.length) };
  // A proxy may send an absolute URL, which servers must accept (RFC 9112, section 3.2.2).
  const absolute = /^https?:\/\/[^/?]*/i.exec(target);
  if (absolute !== null) return readRoute(target.slice(absolute[0].length) || '/');
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const [root, first, second, third, ...rest] = trimmed.split('/', MAX_PARTS + 1);
  if (root !== '' || rest.length > 0) return UNKNOWN;
  if (first === 'ws' && second === 'v3') return { kind: 'websocket', key: third ?? '' };
  if (first !== 'v3') return UNKNOWN;
  if (third === undefined) {
    return second === 'openrpc.json' ? DOCUMENT : { kind: 'rpc', key: second ?? '' };
  }
  return third === 'usage' ? { kind: 'usage', key: second ?? '' } : UNKNOWN;
}

const OPEN: Route = { kind: 'open', key: '' };

/** Parses a path of a service without keys: `/openrpc.json` is the document, all others are open. */
export function readOpenRoute(target: string): Route {
  return /^(?:https?:\/\/[^/?]*)?\/openrpc\.json(?:\?|$)/i.test(target) ? DOCUMENT : OPEN;
}
