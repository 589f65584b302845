import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** A JSON-RPC request that a fake server received. */
export interface SeenRequest {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly method: string;
  readonly params?: unknown;
}

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
}

/** Responds to an HTTP request. */
export type AnswerHttp = (
  response: ServerResponse,
  request: SeenRequest,
  raw: IncomingMessage,
) => void;

export interface FakeHttpServer extends FakeServer {
  /** Response to upgrade requests; none when empty. */
  onUpgrade(bytes: string): void;
}

/** Starts an HTTP server on a free port that passes each JSON-RPC request to `answer`. */
export async function serveHttp(answer: AnswerHttp): Promise<FakeHttpServer> {
  const seen: SeenRequest[] = [];
  const upgrades: Duplex[] = [];
  const server = createServer(async (raw, response) => {
    // A client asks why its handshake was refused.
    if (raw.method === 'GET') return void response.writeHead(404).end();
    const request = JSON.parse(Buffer.concat(await raw.toArray()).toString()) as SeenRequest;
    seen.push(request);
    answer(response, request, raw);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v3/secret-key`,
    seen,
    onUpgrade: (bytes) => {
      server.on('upgrade', (_, socket) => {
        upgrades.push(socket);
        if (bytes !== '') socket.end(bytes);
      });
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of upgrades) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with a JSON-RPC result. */
export function sendResult(response: ServerResponse, id: unknown, result: unknown): void {
  sendJson(response, 200, { jsonrpc: '2.0', id, result });
}

/** Answers with any JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-credits-cost': '80' });
  response.end(JSON.stringify(body));
}

export interface FakeSocketServer extends FakeServer {
  readonly sockets: Set<WebSocket>;
  /** Number of sockets opened so far. */
  readonly opened: () => number;
}

/** Responds to a WebSocket message. */
export type AnswerSocket = (socket: WebSocket, request: SeenRequest) => void;

/** Starts a WebSocket server on a free port that passes each JSON-RPC request to `answer`. */
export async function serveSocket(answer: AnswerSocket): Promise<FakeSocketServer> {
  const seen: SeenRequest[] = [];
  let opened = 0;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    opened += 1;
    socket.on('message', (data: Buffer) => {
      for (const request of [JSON.parse(data.toString())].flat() as SeenRequest[]) {
        seen.push(request);
        answer(socket, request);
      }
    });
  });
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/ws/v3/secret-key`,
    seen,
    sockets: server.clients,
    opened: () => opened,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}

/** Returns the rejection of a promise; throws if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
}

/** A context whose signal never aborts. */
export const calm = { signal: new AbortController().signal, attempt: 1 };

/** A call of a method without parameters. */
export function callOf(method: string, notification = false) {
  return { method, params: [], notification };
}
