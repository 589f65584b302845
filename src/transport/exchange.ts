import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalogue.ts';
import type { Answer } from '../rpc/core.ts';
import type { Message } from '../rpc/message.ts';
import { accountHeaders } from './account-headers.ts';
import { corsHeaders } from './cors.ts';
import type { Site } from './site.ts';

/** One HTTP request on its way to its answer. */
export interface Exchange {
  readonly site: Site;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** Sends `body` with the headers every answer bears. */
export function send(
  exchange: Exchange,
  status: number,
  { headers = [], body = [] }: { headers?: readonly string[]; body?: readonly Buffer[] },
): void {
  const { request, response } = exchange;
  const fields = [...headers];
  if (status !== 204 && status !== 304) {
    const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
    fields.push('content-type', 'application/json', 'content-length', String(length));
  }
  writeHead(exchange, status, fields);
  if (request.method === 'HEAD' || body.length === 0) {
    response.end();
  } else if (body.length === 1) {
    response.end(body[0]);
  } else {
    response.cork();
    for (const chunk of body) response.write(chunk);
    response.end();
  }
}

function writeHead(
  { site, request, response, requestId }: Exchange,
  status: number,
  headers: readonly string[],
): void {
  const fields = ['x-request-id', requestId, ...corsHeaders, ...headers];
  // The rest of a request that is too large is not waited for.
  const isCut = status === 413 && !request.complete;
  if (isCut || site.isDraining()) fields.push('connection', 'close');
  response.writeHead(status, fields);
}

/**
 * Sends a body as it comes, no faster than it is taken. When its end will not come the connection is
 * cut, so that nobody takes what was sent for an answer.
 */
async function sendStream(
  exchange: Exchange,
  stream: AsyncIterable<Buffer>,
  headers: readonly string[],
): Promise<void> {
  const { site, response } = exchange;
  writeHead(exchange, 200, [...headers, 'content-type', 'application/json']);
  // Whoever gave the stream hears how it ended; there is nobody here to be told.
  await pipeline(stream, response).catch(() => undefined);
  if (site.isDraining()) exchange.request.socket.destroySoon();
}

/** Sends the core's answer; to a caller that is known, with the state of the account. */
export function sendAnswer(
  exchange: Exchange,
  answer: Answer,
  caller: Caller | undefined,
): Promise<void> | void {
  const { desk } = exchange.site;
  const headers = caller === undefined ? [] : accountHeaders(answer.credits, desk.standing(caller));
  if (answer.forwardedTo !== undefined) headers.push('x-forwarded-to', answer.forwardedTo);
  if (answer.error?.reason === 'rate_limited') headers.push(...retryAfter(answer.error));
  if (exchange.request.method !== 'POST') headers.push('cache-control', 'no-store');
  if (answer.stream !== undefined) return sendStream(exchange, answer.stream, headers);
  return send(exchange, answer.status, { headers, body: answer.body });
}

/** Refuses a request as a whole; `message` is what was read of it, if anything. */
export function sendError(
  exchange: Exchange,
  error: RpcError,
  {
    message,
    caller,
    headers = [],
  }: {
    readonly message?: Message;
    readonly caller?: Caller;
    readonly headers?: readonly string[];
  } = {},
): Promise<void> | void {
  const { site, requestId } = exchange;
  site.watcher.onRefusal(error, requestId, caller);
  const answer = site.rpc.refuse(message, error, requestId);
  if (headers.length === 0) return sendAnswer(exchange, answer, caller);
  return send(exchange, answer.status, { headers, body: answer.body });
}

/** RFC 9110, section 10.2.3: whole seconds. */
function retryAfter({ data }: RpcError): string[] {
  const { retryAfterMs } = data as { retryAfterMs?: number };
  return ['retry-after', String(Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000)))];
}
