import { IncomingMessage, type ServerResponse } from 'node:http';
import { err, ok, PASSED, type Result } from '../errors/result.ts';
import { ChunkList } from '../json/chunk-list.ts';
import { BodyFlow, type BodyFlowOptions } from '../time/body-flow.ts';
import type { TraceOrigin } from '../tracing/trace.ts';
import type { Reservation } from './byte-budget.ts';
import { stopReading } from './stop-reading.ts';
import { SmallPieces, type TakeCall } from './small-pieces.ts';

/**
 * Maximum number of header fields in a request. Each takes 140 bytes of memory in addition to its text,
 * until the answer has been read or the WebSocket is closed. Requests that passed through several proxies
 * have a few dozen.
 */
export const MAX_HEADER_FIELDS = 100;

/** Whether a request has more header fields than are read. */
export function hasTooManyHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.length > 2 * MAX_HEADER_FIELDS;
}

/**
 * Checks that a request has exactly one Host header, which only HTTP/1.0 may omit (RFC 9112, section
 * 3.2). With two of them, a proxy and the gateway might not agree on which one counts.
 */
export function checkHost({
  headers,
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): Result<undefined, string> {
  if (headers.host === undefined) {
    return httpVersion === '1.0' ? PASSED : err('the Host header is missing');
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 'host'.length && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? err('expected one Host header, got several') : PASSED;
}

/**
 * Checks the transfer coding: the server decodes only `chunked`, and HTTP/1.0 has none (RFC 9112,
 * sections 6.1 and 7). Otherwise it is uncertain where a request ends, so its connection must be
 * closed.
 */
export function checkTransferCoding({
  headers: { 'transfer-encoding': coding },
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): Result<undefined, string> {
  if (coding === undefined) return PASSED;
  if (httpVersion === '1.0') {
    return err(
      'HTTP/1.0 does not support Transfer-Encoding; send a Content-Length, or use HTTP/1.1',
    );
  }
  if (/^\s*chunked\s*$/i.test(coding)) return PASSED;
  return err('unsupported Transfer-Encoding; send chunked alone, or a Content-Length');
}

/** Whether a body follows the headers (RFC 9112, section 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/**
 * Drops the headers of a request that are not needed anymore, all but those that say that it has a body. Node keeps
 * a request until its client has sent it and has read the response.
 */
export function dropHeaders(request: IncomingMessage): void {
  const headers = hasBody(request) ? { 'transfer-encoding': 'chunked' } : {};
  Object.assign(request, { headers, rawHeaders: [] });
}

/** Media types of JSON: `application/json`, `application/json-rpc`, and those ending in `+json`. */
const JSON_TYPE = /^application\/(?:json(?:-?rpc|request)?|[\w.-]+\+json)\s*(?:;|$)/i;

/** Whether a body is JSON in UTF-8 (RFC 8259, section 8.1) and not compressed. */
export function isPlainJson(headers: IncomingMessage['headers']): boolean {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'];
  // What nearly every client sends.
  if (type === 'application/json' && encoding === undefined) return true;
  if (!JSON_TYPE.test(type)) return false;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

/** Returns the trace in the `traceparent` header of a request. */
export function readOrigin(
  { headers: { traceparent } }: IncomingMessage,
  relation: TraceOrigin['relation'],
): TraceOrigin | undefined {
  return typeof traceparent === 'string' ? { traceparent, relation } : undefined;
}

export interface BodyLimits {
  readonly request_bytes: number;
  readonly discarded_bytes: number;
  /** Holds the bytes of each chunk. */
  readonly held?: Reservation;
  /** Called for so many small chunks that they take as long as a call. Absent: there may not be more. */
  readonly takeCall?: TakeCall;
  /** Whose turns a large body waits for. Absent: it is read at once. */
  readonly flow?: Omit<BodyFlowOptions, 'controller'>;
}

export type UnreadBody = 'too_large' | 'too_many' | 'client_left';

/**
 * Reads a request's body of at most `request_bytes`. A larger body is read to its end and discarded,
 * since a client that is still sending may not read the response. The result is `too_large` at the end
 * of such a body, or as soon as a body exceeds `discarded_bytes` or has too many small chunks; then no
 * more is read, and the response closes the connection. It is `too_many` when a body has more bytes than
 * its account may hold. A client that expects 100 (Continue) gets it unless the announced body is too
 * large (RFC 9110, section 10.1.1).
 */
export function readBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { held, request_bytes, discarded_bytes, takeCall = () => false, flow }: BodyLimits,
): Promise<Result<Buffer, UnreadBody>> {
  if (expectsContinue(request)) {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > request_bytes) return Promise.resolve(err('too_large'));
    response.writeContinue();
  }
  return new Promise((resolve) => {
    const chunks = new ChunkList();
    let isKept = true;
    let length = 0;
    const paced = flow && new BodyFlow({ ...flow, controller: request });
    const refuseRest = (): void => {
      chunks.clear();
      paced?.end();
      request.removeAllListeners('data').pause();
      response.shouldKeepAlive = false;
      stopReading(request.socket);
      resolve(err('too_large'));
    };
    limitSmallChunks(request, takeCall, refuseRest);
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > discarded_bytes) return refuseRest();
      paced?.read(chunk.length);
      if (isKept && length <= request_bytes) {
        isKept = held?.add(chunk.length) !== false;
        if (isKept) return chunks.push(chunk);
        chunks.clear();
        return resolve(err('too_many'));
      }
      isKept = false;
      chunks.clear();
      return undefined;
    });
    request.on('end', () => {
      if (!isKept) return resolve(err('too_large'));
      return resolve(ok(chunks.take()));
    });
    // Also emitted after an error, which Node reports only to listeners.
    request.on('close', () => resolve(err('client_left')));
  });
}

/**
 * Calls `refuse` when a body has too many small chunks. They are counted as they are parsed: a read of 64 KiB may
 * hold ten thousand, of 480 bytes of memory each, before the first one is handled.
 */
function limitSmallChunks(request: IncomingMessage, takeCall: TakeCall, refuse: () => void): void {
  const small = new SmallPieces(takeCall);
  request.push = (chunk: Buffer | null) => {
    if (chunk === null || small.add(chunk.length)) return pushTo(request, chunk);
    refuse();
    return false;
  };
}

/**
 * Discards the body of a request as it is parsed, unless `readBody` is called in the same turn: Node would keep
 * what it has parsed until the response has been sent.
 */
export function discardUnread(request: IncomingMessage): void {
  request.push = (chunk: Buffer | null) => chunk !== null || pushTo(request, chunk);
}

const pushTo = (request: IncomingMessage, chunk: Buffer | null): boolean =>
  IncomingMessage.prototype.push.call(request, chunk);

/**
 * Maximum bytes of a rejected request that are kept: enough for an ordinary call, to find its id.
 */
const REFUSED_BYTES = 4_096;

/**
 * Reads the body of a request that is already rejected, to respond to it as a call or a batch. A
 * body above 4 KiB is discarded while it is read; it is then only known whether it is a batch.
 */
export async function readRefused(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  limits: Pick<BodyLimits, 'discarded_bytes' | 'flow'>,
): Promise<Result<Buffer | 'batch' | 'single', 'client_left'>> {
  let start: string | undefined;
  exchange.request.on('data', (chunk: Buffer) => {
    start ||= /[^\s]/.exec(chunk.toString('latin1', 0, REFUSED_BYTES))?.[0];
  });
  const body = await readBody(exchange, { ...limits, request_bytes: REFUSED_BYTES });
  if (body.ok) return body;
  if (body.error === 'client_left') return err('client_left');
  return ok(start === '[' ? 'batch' : 'single');
}

function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && /(?:^|\W)100-continue(?:\W|$)/i.test(headers.expect ?? '');
}
