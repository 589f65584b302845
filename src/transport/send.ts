import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Coding } from './compression/accept-encoding.ts';
import { corsHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';

/** Bodies up to this are compressed at once: that is done before a detour would have begun. */
const AT_ONCE_BYTES = 16_384;

/** Larger bodies are sent in slices of this, each when the one before it is taken. */
export const SLICE_BYTES = 65_536;

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
    response.end();
    return exchange.delivery.hold(site.unsent, 0);
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
    exchange.delivery.hold(site.unsent, ownBytes(exchange, body));
    return sendPieces(exchange, status, { headers, pieces: slicesOf(exchange, body), coding });
  }
  const small = compression.compress(body, coding);
  const fields = [...headers, ...VARY, 'content-encoding', coding];
  return sendWhole(exchange, status, { headers: fields, body: [small], length: small.length });
}

export interface Whole extends Required<Parts> {
  /** Of the body, in bytes. */
  readonly length: number;
  /** Of these, bytes of which this answer has the only copy; counted when absent. */
  readonly own_bytes?: number;
}

/** Sends a body as it is; its headers say what that is. */
export function sendWhole(
  exchange: Exchange,
  status: number,
  { headers, body, length, own_bytes = ownBytes(exchange, body) }: Whole,
): Promise<void> | void {
  const { site, request, response, delivery } = exchange;
  writeHead(exchange, status, [...headers, ...TYPE, 'content-length', String(length)]);
  if (length > SLICE_BYTES && request.method !== 'HEAD') {
    delivery.hold(site.unsent, own_bytes);
    return pipe(exchange, slicesOf(exchange, body));
  }
  if (request.method === 'HEAD' || body.length === 0) {
    response.end();
  } else if (body.length === 1) {
    response.end(body[0]);
  } else {
    response.cork();
    for (const chunk of body) response.write(chunk);
    response.end();
  }
  return delivery.hold(site.unsent, request.method === 'HEAD' ? 0 : own_bytes);
}

/** Of these, bytes that are there for this answer only: all but those of the document. */
function ownBytes({ site }: Exchange, body: readonly Buffer[]): number {
  return body.reduce((sum, chunk) => (chunk === site.document ? sum : sum + chunk.length), 0);
}

/** A body in slices; asking for one says that those before it are on their way. */
function* slicesOf({ site, delivery }: Exchange, body: readonly Buffer[]): Generator<Buffer> {
  for (const chunk of body) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      yield slice;
      delivery.taken(chunk === site.document ? 0 : slice.length);
    }
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
  const { site } = exchange;
  const encoder = coding === undefined ? undefined : site.compression?.open(coding);
  const fields = [...headers, ...TYPE];
  if (site.compression !== undefined) fields.push(...VARY);
  if (encoder !== undefined && coding !== undefined) fields.push('content-encoding', coding);
  writeHead(exchange, status, fields);
  await pipe(exchange, pieces, encoder);
}

async function pipe(
  { site, request, response }: Exchange,
  pieces: Pieces['pieces'],
  encoder?: Transform,
): Promise<void> {
  const sent =
    encoder === undefined ? pipeline(pieces, response) : pipeline(pieces, encoder, response);
  // How it ended is known from the response and to the source of the pieces.
  await sent.catch(() => undefined);
  // Its head did not say yet that the connection would not be kept.
  if (site.isDraining()) request.socket.destroySoon();
}

function writeHead(
  { site, request, response, requestId, connection, delivery }: Exchange,
  status: number,
  headers: readonly string[],
): void {
  const fields = ['x-request-id', requestId, ...corsHeaders, ...headers];
  // The rest of a request that is too large is not waited for, for whatever it is refused.
  const isCut = (status === 413 || status === 429) && !request.complete;
  if (isCut || delivery.isLast || site.isDraining()) {
    fields.push('connection', 'close');
    connection.close(delivery);
  }
  response.writeHead(status, fields);
}
