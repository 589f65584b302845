/** What a request target (RFC 9112, section 3.2) names. An absent key is the empty string. */
export type Route =
  | { readonly kind: 'rpc' | 'usage' | 'websocket'; readonly key: string }
  /** Takes calls by HTTP and by WebSocket, of anyone. */
  | { readonly kind: 'open'; readonly key: '' }
  | { readonly kind: 'document' | 'unknown' };

/** What nearly every request names; read without taking the path apart. */
const CALL_PREFIX = '/v3/';
const PLAIN_CALL = /^\/v3\/[\w-]+$/;

const UNKNOWN: Route = { kind: 'unknown' };
const DOCUMENT: Route = { kind: 'document' };

/**
 * Reads a path: `/v3/<key>`, `/v3/<key>/usage`, `/v3/openrpc.json` and `/ws/v3/<key>`, each with at
 * most one slash behind it. The query is not looked at.
 */
export function readRoute(target: string): Route {
  if (PLAIN_CALL.test(target)) return { kind: 'rpc', key: target.slice(CALL_PREFIX.length) };
  // A proxy may send the whole address, which servers must understand (RFC 9112, section 3.2.2).
  const absolute = /^https?:\/\/[^/?]*/i.exec(target);
  if (absolute !== null) return readRoute(target.slice(absolute[0].length) || '/');
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const [root, first, second, third, ...rest] = trimmed.split('/');
  if (root !== '' || rest.length > 0) return UNKNOWN;
  if (first === 'ws' && second === 'v3') return { kind: 'websocket', key: third ?? '' };
  if (first !== 'v3') return UNKNOWN;
  if (third === undefined) {
    return second === 'openrpc.json' ? DOCUMENT : { kind: 'rpc', key: second ?? '' };
  }
  return third === 'usage' ? { kind: 'usage', key: second ?? '' } : UNKNOWN;
}

const OPEN: Route = { kind: 'open', key: '' };

/** As `readRoute`, for a service without keys: the document is at `/openrpc.json`, all else is open. */
export function readOpenRoute(target: string): Route {
  return /^(?:https?:\/\/[^/?]*)?\/openrpc\.json(?:\?|$)/i.test(target) ? DOCUMENT : OPEN;
}
