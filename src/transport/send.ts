import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { atEndOfTurn, joinWrites, writeNow } from '../time/joined-writes.ts';
import type { Coding } from './compression.ts';
import type { Exchange } from './http-connection.ts';
import { WITHOUT_KEY } from './network-service.ts';
import { dropHeaders, hasBody } from './read-request.ts';
import { corsHeaders } from './response-headers.ts';

/** Bodies up to this size are compressed synchronously, which is faster than through a stream. */
const MAX_SYNC_BYTES = 16_384;

/** Smaller bodies are written together with their headers, which costs less than another chunk. */
const MAX_TEXT_BYTES = 8_192;

/** Larger bodies are sent in slices of this size, each after the previous one has been sent. */
export const SLICE_BYTES = 65_536;

/** Pieces that arrive in one turn of the event loop are joined into one write, up to this many bytes. */
const JOINED_BYTES = 262_144;

/** The header of an answer that depends on the Accept-Encoding of the request (RFC 9110, section 12.5.5). */
export const VARY: readonly string[] = ['vary', 'accept-encoding'];

const TYPE = ['content-type', 'application/json'];

export interface Parts {
  readonly headers?: readonly string[];
  readonly body?: readonly Buffer[];
}

/** Sends `body` with the headers of every answer, compressed if the caller accepts that. */
export function send(
  exchange: Exchange,
  status: number,
  { headers = [], body = [] }: Parts,
): Promise<void> | void {
  const { request, response, service } = exchange;
  if (status === 204 || status === 304) {
    writeHead(exchange, status, headers);
    response.end();
    return exchange.delivery.hold(service.unsent, 0);
  }
  const { compression } = service;
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  const coding = compression?.choose(request.headers['accept-encoding'], length);
  if (compression === undefined || coding === undefined || request.method === 'HEAD') {
    const isVaried = compression?.varies(length) === true;
    const fields = isVaried ? [...headers, ...VARY] : headers;
    return sendWhole(exchange, status, { headers: fields, body, length });
  }
  if (length > MAX_SYNC_BYTES) {
    exchange.delivery.hold(service.unsent, ownBytes(exchange, body));
    return sendPieces(exchange, status, { headers, pieces: slicesOf(exchange, body), coding });
  }
  const small = compression.compress(body, coding);
  const fields = [...headers, ...VARY, 'content-encoding', coding];
  return sendWhole(exchange, status, { headers: fields, body: [small], length: small.length });
}

export interface Whole extends Required<Parts> {
  /** Length of the body in bytes. */
  readonly length: number;
  /** Bytes of the body held in memory for this answer only; computed when absent. */
  readonly own_bytes?: number;
}

/** Sends a body that is already encoded as its headers say. */
export function sendWhole(
  exchange: Exchange,
  status: number,
  { headers, body, length, own_bytes = ownBytes(exchange, body) }: Whole,
): Promise<void> | void {
  const { service, request, response, delivery } = exchange;
  const fields = ['content-type', 'application/json', 'content-length', String(length)];
  writeHead(exchange, status, headers.concat(fields));
  if (length > SLICE_BYTES && request.method !== 'HEAD') {
    delivery.hold(service.unsent, own_bytes);
    return pipe(exchange, slicesOf(exchange, body), {});
  }
  if (request.method === 'HEAD' || body.length === 0) {
    response.end();
  } else if (body.length === 1 && length <= MAX_TEXT_BYTES) {
    return atEndOfTurn(() => {
      // Node joins a string and the headers in one chunk.
      response.end(body[0]!.toString('latin1'), 'latin1');
      delivery.hold(service.unsent, own_bytes);
    });
  } else if (body.length === 1) {
    response.end(body[0]);
  } else {
    response.cork();
    for (const chunk of body) response.write(chunk);
    response.end();
  }
  return delivery.hold(service.unsent, request.method === 'HEAD' ? 0 : own_bytes);
}

/** Returns how many bytes are held for this answer only: all but those of the document. */
function ownBytes({ service }: Exchange, body: readonly Buffer[]): number {
  return body.reduce((sum, chunk) => (chunk === service.document ? sum : sum + chunk.length), 0);
}

/** Yields a body in slices. Requesting a slice means that the previous one has been sent. */
function* slicesOf({ service, delivery }: Exchange, body: readonly Buffer[]): Generator<Buffer> {
  for (const chunk of body) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      yield slice;
      delivery.sent(chunk === service.document ? 0 : slice.length);
    }
  }
}

export interface Pieces {
  readonly headers: readonly string[];
  readonly pieces: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Used if another compressor may be opened. */
  readonly coding: Coding | undefined;
}

/**
 * Sends a body in pieces, at the pace of the reader. If it ends early, the connection is cut, so that
 * the part that was sent is not mistaken for the whole.
 */
export async function sendPieces(
  exchange: Exchange,
  status: number,
  { headers, pieces, coding }: Pieces,
): Promise<void> {
  const { service } = exchange;
  const encoder = coding === undefined ? undefined : service.compression?.open(coding);
  const fields = [...headers, ...TYPE];
  if (service.compression !== undefined) fields.push(...VARY);
  if (encoder !== undefined && coding !== undefined) fields.push('content-encoding', coding);
  writeHead(exchange, status, fields);
  exchange.connection.watch.start();
  await pipe(exchange, pieces, { encoder, onSent: () => exchange.delivery.sent(0) });
}

/** Sends the pieces at the pace of the reader; `onSent` is called after each. */
async function pipe(
  { service, request, response, connection, delivery }: Exchange,
  pieces: Pieces['pieces'],
  { encoder, onSent = () => undefined }: { encoder?: Transform | undefined; onSent?: () => void },
): Promise<void> {
  let left_bytes = JOINED_BYTES;
  // Many large bodies at a time would otherwise delay the calls of all accounts.
  const turn = (piece: Buffer): Promise<void> | undefined => {
    left_bytes -= piece.length;
    if (left_bytes >= 0) return undefined;
    left_bytes = JOINED_BYTES;
    return service.turns.wait(delivery.account ?? WITHOUT_KEY);
  };
  try {
    if (encoder === undefined) await write(response, pieces, { turn, onSent });
    else await pipeline(withProgress(pieces, { turn, onSent }), encoder, response);
  } catch {
    // The response and the source of the pieces report how sending ended.
    response.destroy();
  }
  // The headers were sent before draining began, without `connection: close`.
  delivery.onEnd(() => {
    if (closesWhileDraining({ service, connection, delivery })) request.socket.destroySoon();
  });
}

/** Whether the server drains, and no later request was accepted on the connection: those are still answered. */
function closesWhileDraining({
  service,
  connection: { lastDelivery },
  delivery,
}: Pick<Exchange, 'service' | 'connection' | 'delivery'>): boolean {
  return service.isDraining() && (lastDelivery ?? delivery) === delivery;
}

interface Progress {
  /** Resolves when the next piece may be sent; undefined if that is now. */
  turn(piece: Buffer): Promise<void> | undefined;
  /** Called after each piece. */
  onSent(): void;
}

/** Like `pipeline`, which would take up a third of the time spent on sending a large result. */
async function write(
  response: ServerResponse,
  pieces: Pieces['pieces'],
  { turn, onSent }: Progress,
): Promise<void> {
  for await (const piece of pieces) {
    const waiting = turn(piece);
    if (waiting !== undefined) await waiting;
    if (response.destroyed) return;
    const { socket } = response;
    if (socket !== null) joinWrites(socket);
    const isTaken = response.write(piece);
    // The time of a write that is held back until the end of a turn would not count as time of its account.
    if (waiting !== undefined && socket !== null) writeNow(socket);
    if (!isTaken && response.writableLength >= JOINED_BYTES) {
      if (socket !== null) writeNow(socket);
      await drained(response);
    }
    // Leaving the loop ends the source.
    if (response.destroyed) return;
    onSent();
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

async function* withProgress(
  pieces: Pieces['pieces'],
  { turn, onSent }: Progress,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) {
    const waiting = turn(piece);
    if (waiting !== undefined) await waiting;
    yield piece;
    onSent();
  }
}

function writeHead(
  { service, request, response, requestId, connection, delivery }: Exchange,
  status: number,
  headers: readonly string[],
): void {
  const fields = ['x-request-id', requestId].concat(corsHeaders, headers);
  // The remaining body of a refused request is not read.
  const isCut = hasBody(request) && !request.complete;
  if (isCut || delivery.isLast || closesWhileDraining({ service, connection, delivery })) {
    fields.push('connection', 'close');
    connection.closeAfter(delivery);
  }
  response.writeHead(status, fields);
  dropHeaders(request);
}
