import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** What a fake server was sent: the JSON-RPC request of one call. */
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

/** Answers a request over HTTP in whatever way the test wants. */
export type AnswerHttp = (
  response: ServerResponse,
  request: SeenRequest,
  raw: IncomingMessage,
) => void;

export interface FakeHttpServer extends FakeServer {
  /** Answers requests for an upgrade with these bytes; with none at all they stay unanswered. */
  onUpgrade(bytes: string): void;
}

/** An HTTP server on a free port that hands each JSON-RPC request to `answer`. */
export async function serveHttp(answer: AnswerHttp): Promise<FakeHttpServer> {
  const seen: SeenRequest[] = [];
  const upgrades: Duplex[] = [];
  const server = createServer(async (raw, response) => {
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
  /** How many sockets were ever opened. */
  readonly opened: () => number;
}

/** Answers a message over WebSocket in whatever way the test wants. */
export type AnswerSocket = (socket: WebSocket, request: SeenRequest) => void;

/** A WebSocket server on a free port that hands each JSON-RPC request to `answer`. */
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

/** What a promise rejects with; a promise that resolves fails the test. */
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
