import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { destroyUnparsed } from './stop-reading.ts';
import { checkTransferCoding, hasBody, readBody } from './read-request.ts';
import { DROP_BEYOND_MAX } from './server.ts';

export interface PageRequest {
  readonly method: string;
  /** As it was sent, without the query; percent-encoded. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

export interface PageServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface AnswersOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly answer: (request: PageRequest) => Promise<PageAnswer>;
  /** Resolves once a request may be answered; returns undefined if that is now. Absent: always. */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
}

/** How long a request may take to arrive: all of them are small GETs. */
const REQUEST_MS = 5_000;

/** How long a connection may be idle: an answer may wait for a site that is being built. */
const IDLE_MS = 120_000;

/** Maximum number of open connections. */
export const PAGE_CONNECTIONS = 1_000;

/**
 * Maximum number of unanswered requests on one connection. All that arrive at once are parsed before other
 * work of the process, over all connections; browsers and proxies send the next one after the response.
 */
const MAX_PIPELINED = 4;
/** Requests after which a connection is closed: more than a page with its search has. */
const MAX_REQUESTS = 100;

/** Bodies are discarded: no page needs one. */
const BODY_LIMITS = { request_bytes: 0, discarded_bytes: 65_536 };

interface Connection {
  requests: number;
  unanswered: number;
}

/** Serves GET and HEAD requests. Rejects when the address is not available. */
export async function serveAnswers(options: AnswersOptions): Promise<PageServer> {
  const { host, port } = options;
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS });
  server.timeout = IDLE_MS;
  server.maxConnections = PAGE_CONNECTIONS;
  Object.assign(server, { httpAllowHalfOpen: true, ...DROP_BEYOND_MAX });
  const connections = new WeakMap<Socket, Connection>();
  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { requests: 0, unanswered: 0 };
    connections.set(socket, connection);
    connection.requests += 1;
    connection.unanswered += 1;
    if (connection.unanswered > MAX_PIPELINED) return destroyUnparsed(socket);
    // The response to the last request closes the connection (RFC 9112, section 9.6).
    if (connection.requests > MAX_REQUESTS) return undefined;
    if (connection.requests === MAX_REQUESTS) response.shouldKeepAlive = false;
    response.shouldKeepAlive &&= checkTransferCoding(request).ok;
    response.once('close', () => (connection.unanswered -= 1));
    if (!hasBody(request)) return void respond(request, response, options);
    const body = readBody({ request, response }, BODY_LIMITS);
    return void body.then(() => respond(request, response, options));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, turn }: AnswersOptions,
): Promise<void> {
  const waiting = turn?.();
  if (waiting !== undefined) await waiting;
  if (request.socket.destroyed) return;
  const { method = '', url = '', headers } = request;
  const [path = ''] = url.split('?', 1);
  const page = await answer({ method, path, headers }).catch(() => plainAnswer(500, 'failed\n'));
  response.writeHead(page.status, {
    'x-content-type-options': 'nosniff',
    ...(page.status === 304 ? {} : { 'content-length': page.body.length }),
    ...page.headers,
  });
  response.end(method === 'HEAD' || page.status === 304 ? undefined : page.body);
}

export function plainAnswer(
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): PageAnswer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(text),
  };
}

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PagesOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Pages by their path. */
  readonly pages: Readonly<Record<string, () => Page | Promise<Page>>>;
}

/** Serves a few pages by GET; everything else is 404 or 405. Rejects when the address is not available. */
export function servePages({ host, port, pages }: PagesOptions): Promise<PageServer> {
  const pageFor = async (method: string, path: string): Promise<PageAnswer> => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return plainAnswer(404, 'not found\n');
    if (method !== 'GET' && method !== 'HEAD') {
      return plainAnswer(405, 'GET only\n', { allow: 'GET, HEAD' });
    }
    const { status, contentType, headers, body } = await page();
    return {
      status,
      headers: { 'content-type': contentType, ...headers },
      body: Buffer.from(body),
    };
  };
  return serveAnswers({ host, port, answer: ({ method, path }) => pageFor(method, path) });
}
