import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Asked {
  readonly method: string;
  /** Without the query; as it was sent, percent signs and all. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

export interface AnswerServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface AnsweringOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly answer: (asked: Asked) => Promise<Answer>;
}

/** How long a request may take to arrive: these ports answer small GETs. */
const REQUEST_MS = 5_000;

/** For how long a connection may be still: answers may have to wait for a site that is being built. */
const IDLE_MS = 120_000;
/** Connections at one time. */
const MAX_CONNECTIONS = 1_000;
/** Requests of one connection that wait for their answers. */
const MAX_PIPELINED = 16;

/** Answers requests without a body by GET and HEAD. Rejects when it cannot listen. */
export async function serveAnswers({
  host,
  port,
  answer,
}: AnsweringOptions): Promise<AnswerServer> {
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS });
  server.timeout = IDLE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  Object.assign(server, { httpAllowHalfOpen: true });
  const waiting = new WeakMap<Socket, number>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const [path = ''] = url.split('?');
    const answered = await answer({ method, path, headers }).catch(() =>
      plainAnswer(500, 'failed\n'),
    );
    response.writeHead(answered.status, {
      'x-content-type-options': 'nosniff',
      ...(answered.status === 304 ? {} : { 'content-length': answered.body.length }),
      ...answered.headers,
    });
    response.end(method === 'HEAD' || answered.status === 304 ? undefined : answered.body);
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_PIPELINED) return void socket.destroy();
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1));
    return void respond(request, response);
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

export function plainAnswer(
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(text),
  };
}
