import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { Result } from '../errors/result.ts';
import type { Session } from '../gateway/authenticator.ts';
import type { Answer } from '../rpc/call.ts';
import { overheadOf, type Message } from '../rpc/message.ts';
import type { Reservation } from './byte-budget.ts';
import type { HostRouter } from './host-router.ts';
import { connectionOf, type Exchange } from './http-connection.ts';
import { claimConnection, WITHOUT_KEY } from './network-service.ts';
import {
  checkHost,
  checkTransferCoding,
  discardUnread,
  dropHeaders,
  hasBody,
  hasTooManyHeaders,
  isPlainJson,
  readBody,
  readOrigin,
  readRefused,
  type UnreadBody,
} from './read-request.ts';
import { readRequestId } from './request-ids.ts';
import { preflightHeaders } from './response-headers.ts';
import type { Route } from './route.ts';
import { send, sendWhole, VARY } from './send.ts';
import { sendAnswer, sendError } from './send-answer.ts';

/** HTTP methods of each kind of path; a path without methods is unknown over plain HTTP. */
const methodsOf: Readonly<Record<Route['kind'], readonly string[]>> = {
  rpc: ['POST', 'OPTIONS'],
  open: ['POST', 'OPTIONS'],
  usage: ['GET', 'HEAD', 'OPTIONS'],
  document: ['GET', 'HEAD', 'OPTIONS'],
  websocket: [],
  unknown: [],
};

/** Answers the HTTP requests to the networks at an address. */
export function createHttpHandler(
  router: HostRouter,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    discardUnread(request);
    const endpoint = router.find(request);
    const { service, release } = (endpoint ?? router.first).acquire();
    const { errors } = service;
    const connection = connectionOf(request.socket, service);
    const delivery = connection.begin(response, service);
    if (delivery === undefined) {
      dropHeaders(request);
      return release();
    }
    delivery.onEnd(release);
    const requestId = service.nextRequestId();
    const exchange: Exchange = { service, request, response, requestId, connection, delivery };
    if (hasTooManyHeaders(request)) {
      delivery.isLast = true;
      return void sendError(exchange, errors.fail('http_headers_too_large'));
    }
    const host = checkHost(request);
    const coding = checkTransferCoding(request);
    delivery.isLast ||= !coding.ok;
    const checked = host.ok ? coding : host;
    if (!checked.ok) {
      const data = { detail: checked.error };
      return void sendError(exchange, errors.fail('http_malformed', { data }));
    }
    if (endpoint === undefined) {
      const data = { host: router.hostOf(request) };
      return void sendError(exchange, errors.fail('unknown_host', { data }));
    }
    const fail = (error: unknown): void => {
      service.observer.onError(error, exchange.requestId);
      if (response.headersSent) response.destroy();
      else void sendError(exchange, errors.fail('internal_error'));
    };
    try {
      return void serve(exchange)?.catch(fail);
    } catch (error) {
      return fail(error);
    }
  };
}

function serve(exchange: Exchange): Promise<void> | void {
  const { service, request } = exchange;
  const route = service.readRoute(request.url ?? '');
  const isRpc = route.kind === 'rpc' || route.kind === 'open';
  if (isRpc && request.method === 'POST') return serveRpc(exchange, route.key);
  // Node would read the rest of an unread body after the answer, however long it takes.
  return afterBody(exchange, () => {
    const turn = waitWithoutKey(exchange);
    if (turn === undefined) return serveWithoutBody(exchange, route);
    return turn.then((mayAnswer) => (mayAnswer ? serveWithoutBody(exchange, route) : undefined));
  });
}

/**
 * Resolves once a request without a key may be answered: false if its caller has left. Until then it
 * counts as an answer that its caller has not read, because it holds as much memory. Returns undefined if
 * that is now.
 */
function waitWithoutKey(exchange: Exchange): Promise<boolean> | undefined {
  const { service, response, connection, delivery } = exchange;
  const turn = connection.waitForTurn(WITHOUT_KEY);
  if (turn === undefined) return undefined;
  const held = service.unsent.hold(connection, undefined, 0);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // What waits for the turn holds nothing else, so that a caller who leaves takes no more memory.
  void turn.then(() => resolve(true));
  delivery.onEnd(() => resolve(false));
  return promise.then((isTurn) => {
    held.release();
    return isTurn && !delivery.isIgnored && !response.destroyed;
  });
}

/** Discards the body of a request, if it has one, before `serveIt` answers it. */
function afterBody(exchange: Exchange, serveIt: () => Promise<void> | void): Promise<void> | void {
  if (!hasBody(exchange.request)) return serveIt();
  const { service, delivery } = exchange;
  const { discarded_bytes } = service.limits;
  const flow = delivery.flow(service);
  return readBody(exchange, { request_bytes: 0, discarded_bytes, flow }).then((body) => {
    const hasLeft = !body.ok && body.error === 'client_left';
    return hasLeft || delivery.isIgnored ? undefined : serveIt();
  });
}

function serveWithoutBody(exchange: Exchange, route: Route): Promise<void> | void {
  const { service, request } = exchange;
  const allow = methodsOf[route.kind];
  if (route.kind === 'websocket' && request.method === 'GET') {
    // WebSocket APIs hide why a handshake was refused, so clients repeat it as a plain request.
    const session = authenticate(exchange, route.key);
    if (!session.ok) return sendError(exchange, session.error);
  }
  if (allow.length === 0) return sendError(exchange, service.errors.fail('unknown_path'));
  if (request.method === 'OPTIONS') {
    return send(exchange, 204, { headers: preflightHeaders(allow) });
  }
  if (!allow.includes(request.method ?? '')) {
    const error = service.errors.fail('http_method_not_allowed', { data: { allow } });
    return sendError(exchange, error, { headers: ['allow', allow.join(', ')] });
  }
  if (route.kind === 'usage') return serveUsage(exchange, route.key);
  return serveDocument(exchange);
}

async function serveRpc(exchange: Exchange, key: string): Promise<void> {
  const { service, request, response, connection, delivery } = exchange;
  const session = authenticate(exchange, key);
  if (!session.ok) return refuseUnread(exchange, session.error);
  if (!isPlainJson(request.headers)) {
    const error = service.errors.fail('unsupported_media_type');
    return afterBody(exchange, () => refuse(exchange, error, { caller: session.value.caller }));
  }
  let answer: Answer;
  const { caller } = session.value;
  const { request_bytes, discarded_bytes } = service.limits;
  const held = service.heldBytes.open(caller.accountId);
  try {
    const takeCall = (): boolean => service.accounts.take(caller).ok;
    const flow = delivery.flow(service);
    const body = await readBody(exchange, { request_bytes, discarded_bytes, held, takeCall, flow });
    if (delivery.isIgnored) return undefined;
    if (!body.ok) return refuseBody(exchange, body.error, caller);
    const turn = connection.waitForTurn(caller.accountId);
    if (turn !== undefined) await turn;
    if (delivery.isIgnored || response.destroyed) return undefined;
    const message = service.rpc.read(body.value);
    if (!held.add(overheadOf(message))) {
      return refuse(exchange, tooManyBytes(service.errors), { caller, message });
    }
    const answering = answerMessage(exchange, message, { caller, held });
    answer = answering instanceof Promise ? await answering : answering;
  } finally {
    held.release();
  }
  if (answer.settle !== undefined) delivery.onEnd(answer.settle);
  // The caller left before the answer was ready: no event of the response would release the answer.
  if (response.destroyed) return undefined;
  return sendAnswer(exchange, answer, caller);
}

function refuseBody(exchange: Exchange, reason: UnreadBody, caller: Caller): Promise<void> | void {
  if (reason === 'client_left') return undefined;
  const { errors, limits } = exchange.service;
  const error =
    reason === 'too_many'
      ? tooManyBytes(errors)
      : errors.fail('request_too_large', { data: { limitBytes: limits.request_bytes } });
  return refuse(exchange, error, { caller });
}

/** The error for a request that does not fit into the byte budget of its account. */
function tooManyBytes(errors: ErrorCatalog): RpcError {
  return errors.fail('too_many_calls_in_flight', { data: { scope: 'account' } });
}

function answerMessage(
  { service, request, requestId, connection, delivery }: Exchange,
  message: Message,
  { caller, held }: { readonly caller: Caller; readonly held: Reservation },
): Promise<Answer> | Answer {
  return service.rpc.answer(message, caller, {
    requestId,
    signal: delivery.cancellation,
    reserve: (bytes) => held.reserve(bytes),
    turn: () => connection.waitForTurn(caller.accountId),
    streams: request.httpVersion !== '1.0',
    origin: readOrigin(request, 'parent'),
  });
}

/**
 * Authenticates a request. From then on its answer and its connection count for the account of the key,
 * and the answer has the request id that the caller has set. An account may have too many connections; it
 * would take those of others if one counted only once its request has been read.
 */
function authenticate(exchange: Exchange, key: string): Result<Session> {
  const { service, request, response, connection, delivery } = exchange;
  const session = service.authenticator.authenticate(key, request.headers);
  if (!session.ok) return session;
  const { caller } = session.value;
  delivery.account = caller.accountId;
  exchange.requestId = readRequestId(request, caller, service.authenticator) ?? exchange.requestId;
  const claimed = claimConnection(service, request.socket, caller);
  if (claimed.ok) connection.authenticated(delivery);
  else response.shouldKeepAlive = false;
  return claimed.ok ? session : claimed;
}

/** Refuses a request without a valid key, or over a connection too many. Keeps only a small body, to respond with its ids. */
async function refuseUnread(exchange: Exchange, error: RpcError): Promise<void> {
  const { service, request, response, connection, delivery } = exchange;
  const { discarded_bytes } = service.limits;
  const flow = delivery.flow(service);
  const reading = readRefused(exchange, { discarded_bytes, flow });
  dropHeaders(request);
  const body = await reading;
  if (delivery.isIgnored || !body.ok) return undefined;
  // Before it waits: a valid key in a later request ends the series of refusals.
  if (delivery.account === undefined) {
    connection.refused(delivery);
    if ((await waitWithoutKey(exchange)) === false) return undefined;
  } else await connection.waitForTurn(delivery.account);
  if (delivery.isIgnored || response.destroyed) return undefined;
  const { value } = body;
  if (value === 'single') return sendError(exchange, error);
  const message: Message =
    value === 'batch' ? { kind: 'batch', requests: [] } : service.rpc.read(value);
  return sendError(exchange, error, { message });
}

interface Recipient {
  readonly caller: Caller;
  readonly message?: Message;
}

/** Refuses a request. It costs no credits but counts as one call. */
function refuse(exchange: Exchange, error: RpcError, to: Recipient): Promise<void> | void {
  const allowed = exchange.service.accounts.take(to.caller);
  return sendError(exchange, allowed.ok ? error : allowed.error, to);
}

async function serveUsage(exchange: Exchange, key: string): Promise<void> {
  const { service } = exchange;
  const session = authenticate(exchange, key);
  if (!session.ok) return sendError(exchange, session.error);
  const { caller } = session.value;
  const usage = await service.accounts.usage(caller);
  if (!usage.ok) return sendError(exchange, usage.error, { caller });
  return sendAnswer(exchange, { status: 200, body: [usage.value], credits: 0 }, caller);
}

function serveDocument(exchange: Exchange): Promise<void> | void {
  const { service, request, connection, delivery } = exchange;
  const { compression, document, documentTag } = service;
  const coding = compression?.choose(request.headers['accept-encoding'], document.length);
  // Each encoded form has its own tag (RFC 9110, section 8.8.3.3).
  const tag = coding === undefined ? documentTag : documentTag.replace(/"$/, `-${coding}"`);
  const headers = ['etag', tag, 'cache-control', 'no-cache'];
  if (compression?.varies(document.length) === true) headers.push(...VARY);
  if (request.headers['if-none-match'] === tag) return send(exchange, 304, { headers });
  if (coding !== undefined) headers.push('content-encoding', coding);
  const body = coding && compression ? compression.compressOnce(document, coding) : document;
  // TLS encrypts a copy, whose buffer stays allocated as long as the connection is open.
  const isCopied = 'encrypted' in request.socket && !connection.hasSentKey;
  if (isCopied) delivery.isLast = true;
  const own_bytes = isCopied ? body.length : 0;
  return sendWhole(exchange, 200, { headers, body: [body], length: body.length, own_bytes });
}
