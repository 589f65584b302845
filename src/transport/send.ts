import { pipeline } from 'node:stream/promises';
import type { Coding } from './compression/accept-encoding.ts';
import { corsHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';

/** Bodies up to this are compressed at once: that is done before a detour would have begun. */
const AT_ONCE_BYTES = 16_384;

/** What the system takes off our hands anyway is not watched. */
export const PATIENT_BYTES = 65_536;

/** Tells that an answer would be another for callers that accept otherwise (RFC 9110, 12.5.5). */
export const VARY: readonly string[] = ['vary', 'accept-encoding'];

const TYPE = ['content-type', 'application/json'];

export interface Parts {
  readonly headers?: readonly string[];
  readonly body?: readonly Buffer[];
}

/** Sends `body` with the headers every answer bears, compressed where the caller likes that. */
export function send(
  exchange: Exchange,
  status: number,
  { headers = [], body = [] }: Parts,
): Promise<void> | void {
  const { request, response, site } = exchange;
  if (status === 204 || status === 304) {
    writeHead(exchange, status, headers);
    return void response.end();
  }
  const { compression } = site;
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  const coding = compression?.choose(request.headers['accept-encoding'], length);
  if (compression === undefined || coding === undefined || request.method === 'HEAD') {
    const isVaried = compression?.varies(length) === true;
    const fields = isVaried ? [...headers, ...VARY] : headers;
    return sendWhole(exchange, status, { headers: fields, body, length });
  }
  if (length > AT_ONCE_BYTES) {
    if (length > PATIENT_BYTES) watch(exchange, length);
    return sendPieces(exchange, status, { headers, pieces: body, coding });
  }
  const small = compression.compress(body, coding);
  const fields = [...headers, ...VARY, 'content-encoding', coding];
  return sendWhole(exchange, status, { headers: fields, body: [small], length: small.length });
}

export interface Whole extends Required<Parts> {
  /** Of the body, in bytes. */
  readonly length: number;
}

/** Sends a body as it is; its headers say what that is. */
export function sendWhole(
  exchange: Exchange,
  status: number,
  { headers, body, length }: Whole,
): void {
  const { request, response } = exchange;
  writeHead(exchange, status, [...headers, ...TYPE, 'content-length', String(length)]);
  if (length > PATIENT_BYTES) watch(exchange, length);
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

export interface Pieces {
  readonly headers: readonly string[];
  readonly pieces: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** To be used if there is room for another compressor. */
  readonly coding: Coding | undefined;
}

/**
 * Sends a body piece by piece, no faster than it is taken. When its end will not come the connection
 * is cut, so that nobody takes what was sent for an answer.
 */
export async function sendPieces(
  exchange: Exchange,
  status: number,
  { headers, pieces, coding }: Pieces,
): Promise<void> {
  const { site, request, response } = exchange;
  const encoder = coding === undefined ? undefined : site.compression?.open(coding);
  const fields = [...headers, ...TYPE];
  if (site.compression !== undefined) fields.push(...VARY);
  if (encoder !== undefined && coding !== undefined) fields.push('content-encoding', coding);
  writeHead(exchange, status, fields);
  const sent =
    encoder === undefined ? pipeline(pieces, response) : pipeline(pieces, encoder, response);
  // Whoever gave the pieces hears how it ended; there is nobody here to be told.
  await sent.catch(() => undefined);
  // Its head did not say yet that the connection would not be kept.
  if (site.isDraining()) request.socket.destroySoon();
}

/** An answer that lies in memory is cut off when nothing of it is taken, or its place is needed. */
function watch({ site, response }: Exchange, length: number): void {
  const cut = (): void => void response.destroy();
  response.setTimeout(site.limits.stream_idle_ms, cut);
  response.once('close', site.unsent.hold(length, cut));
}

function writeHead(
  { site, request, response, requestId }: Exchange,
  status: number,
  headers: readonly string[],
): void {
  const fields = ['x-request-id', requestId, ...corsHeaders, ...headers];
  // The rest of a request that is too large is not waited for, for whatever it is refused.
  const isCut = (status === 413 || status === 429) && !request.complete;
  if (isCut || site.isDraining()) fields.push('connection', 'close');
  response.writeHead(status, fields);
}
