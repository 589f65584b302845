import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalog.ts';
import { SERVICE_ENDS } from '../rpc/front.ts';
import type { Message } from '../rpc/message.ts';
import { claimConnection } from './claim-connection.ts';
import { preflightHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { connectionOf } from './http-connection.ts';
import { sendAnswer, sendError } from './send-answer.ts';
import { findCodingFlaw } from './transfer-coding.ts';
import { findHostFlaw } from './host-header.ts';
import { readBody } from './read-body.ts';
import type { Reception } from './reception.ts';
import { readRequestId } from './request-ids.ts';
import { readOrigin } from './trace-origin.ts';
import type { Route } from './route.ts';
import { send, sendWhole, VARY } from './send.ts';
import { isRpcError, type Admitted } from './site.ts';

/** Methods an address takes; an address that takes none is unknown over plain HTTP. */
const methodsOf: Readonly<Record<Route['kind'], readonly string[]>> = {
  rpc: ['POST', 'OPTIONS'],
  open: ['POST', 'OPTIONS'],
  usage: ['GET', 'HEAD', 'OPTIONS'],
  document: ['GET', 'HEAD', 'OPTIONS'],
  websocket: [],
  unknown: [],
};

/** Answers the HTTP requests of the networks at an address. */
export function createHttpHandler(
  reception: Reception,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const entrance = reception.find(request);
    const { site, leave } = (entrance ?? reception.speaker).enter();
    const connection = connectionOf(request.socket, site);
    const delivery = connection.begin(response, site);
    if (delivery === undefined) return leave();
    delivery.onEnd(leave);
    const requestId = readRequestId(request, site.door) ?? site.nextRequestId();
    const exchange = { site, request, response, requestId, connection, delivery };
    const detail = findHostFlaw(request) ?? findCodingFlaw(request);
    if (detail !== undefined) {
      return void sendError(exchange, site.errors.fail('http_malformed', { data: { detail } }));
    }
    if (entrance === undefined) {
      const data = { host: reception.hostOf(request) };
      return void sendError(exchange, site.errors.fail('unknown_host', { data }));
    }
    return void serve(exchange).catch((fault: unknown) => {
      site.watcher.onFault(fault, requestId);
      if (response.headersSent) response.destroy();
      else void sendError(exchange, site.errors.fail('internal_error'));
    });
  };
}

async function serve(exchange: Exchange): Promise<void> {
  const { site, request } = exchange;
  const route = site.readRoute(request.url ?? '');
  const allow = methodsOf[route.kind];
  if (allow.length === 0) return sendError(exchange, site.errors.fail('unknown_path'));
  if (request.method === 'OPTIONS') {
    return send(exchange, 204, { headers: preflightHeaders(allow) });
  }
  if (!allow.includes(request.method ?? '')) {
    const error = site.errors.fail('http_method_not_allowed', { data: { allow } });
    return sendError(exchange, error, { headers: ['allow', allow.join(', ')] });
  }
  if (route.kind === 'rpc' || route.kind === 'open') return serveRpc(exchange, route.key);
  if (route.kind === 'usage') return serveUsage(exchange, route.key);
  return serveDocument(exchange);
}

async function serveRpc(exchange: Exchange, key: string): Promise<void> {
  const { site, request, requestId, delivery } = exchange;
  const { rpc, errors, limits } = site;
  const admitted = admit(exchange, key);
  if (!isPlainJson(request.headers)) {
    return refuseUnread(exchange, admitted, errors.fail('unsupported_media_type'));
  }
  const body = await readBody(exchange, limits);
  if (body === 'gone' || delivery.isDropped) return undefined;
  if (body === 'too_large') {
    const data = { limitBytes: limits.request_bytes };
    return refuseUnread(exchange, admitted, errors.fail('request_too_large', { data }));
  }
  const message = rpc.read(body);
  if (isRpcError(admitted)) return sendError(exchange, admitted, { message });
  const { caller } = admitted;
  const tooMany = claimConnection(site, request.socket, caller);
  if (tooMany !== undefined) return refuseConnection(exchange, tooMany, { caller, message });
  const leaving = new AbortController();
  delivery.onEnd((fate) => {
    if (fate !== 'all') leaving.abort(fate === 'lost' ? SERVICE_ENDS : undefined);
  });
  const origin = readOrigin(request, 'parent');
  const context = {
    requestId,
    signal: leaving.signal,
    streams: request.httpVersion !== '1.0',
    origin,
  };
  const answer = await rpc.answer(message, caller, context);
  if (answer.conclude !== undefined) delivery.onEnd(answer.conclude);
  // The caller left before the answer was there: no event of the response would release it.
  if (exchange.response.destroyed) return undefined;
  return sendAnswer(exchange, answer, caller);
}

/** Authenticates a request; from then on its answer counts for the account of the key. */
function admit(
  { site, request, connection, delivery }: Exchange,
  key: string,
): Admitted | RpcError {
  const admitted = site.door.admit(key, request.headers);
  if (isRpcError(admitted)) return admitted;
  connection.admitted();
  delivery.account = admitted.caller.accountId;
  return admitted;
}

/** Refuses a request whose body counts for nothing: free of charge, but a call like any other. */
function refuseUnread(
  exchange: Exchange,
  admitted: Admitted | RpcError,
  error: RpcError,
): Promise<void> | void {
  if (isRpcError(admitted)) return sendError(exchange, admitted);
  const { caller } = admitted;
  return sendError(exchange, exchange.site.desk.take(caller) ?? error, { caller });
}

/** Refuses a request over a connection that its account may not have, and closes that. */
function refuseConnection(
  exchange: Exchange,
  error: RpcError,
  { caller, message }: { readonly caller: Caller; readonly message?: Message },
): Promise<void> | void {
  exchange.response.shouldKeepAlive = false;
  const refusal = exchange.site.desk.take(caller) ?? error;
  return sendError(exchange, refusal, { caller, ...(message === undefined ? {} : { message }) });
}

async function serveUsage(exchange: Exchange, key: string): Promise<void> {
  const { site } = exchange;
  const admitted = admit(exchange, key);
  if (isRpcError(admitted)) return sendError(exchange, admitted);
  const { caller } = admitted;
  const tooMany = claimConnection(site, exchange.request.socket, caller);
  if (tooMany !== undefined) return refuseConnection(exchange, tooMany, { caller });
  const usage = await site.desk.usage(caller);
  if (!Buffer.isBuffer(usage)) return sendError(exchange, usage, { caller });
  return sendAnswer(exchange, { status: 200, body: [usage], credits: 0 }, caller);
}

function serveDocument(exchange: Exchange): Promise<void> | void {
  const { site, request } = exchange;
  const { compression, document, documentTag } = site;
  const coding = compression?.choose(request.headers['accept-encoding'], document.length);
  // Each form has a tag of its own (RFC 9110, section 8.8.3.3).
  const tag = coding === undefined ? documentTag : documentTag.replace(/"$/, `-${coding}"`);
  const headers = ['etag', tag, 'cache-control', 'no-cache'];
  if (compression?.varies(document.length) === true) headers.push(...VARY);
  if (request.headers['if-none-match'] === tag) return send(exchange, 304, { headers });
  if (coding !== undefined) headers.push('content-encoding', coding);
  const body = coding && compression ? compression.compressOnce(document, coding) : document;
  return sendWhole(exchange, 200, { headers, body: [body], length: body.length, own_bytes: 0 });
}

/** Media types of JSON: `application/json`, `application/json-rpc`, and those ending in `+json`. */
const JSON_TYPE = /^application\/(?:json(?:-?rpc|request)?|[\w.-]+\+json)\s*(?:;|$)/i;

/** Plain JSON in UTF-8 (RFC 8259, section 8.1): of a JSON type, no other charset, not compressed. */
function isPlainJson(headers: IncomingMessage['headers']): boolean {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'];
  if (!JSON_TYPE.test(type)) return false;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}
