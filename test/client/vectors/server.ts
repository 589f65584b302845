/** The vectors' server, which follows the vector's script for each request. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { type Exchange, type PlacedVector, readVectors, type SeenRequest } from './format.ts';

export interface VectorServer extends AsyncDisposable {
  readonly http: string;
  readonly ws: string;
}

/** The state of one run of one vector. */
interface Run {
  readonly vector: PlacedVector;
  readonly requests: SeenRequest[];
  /** Emits `request` when one was received. */
  readonly arrivals: EventEmitter;
  upgrades: number;
  connections: number;
  open: number;
  maxConcurrent: number;
}

/** Starts the server on 127.0.0.1, by default on a free port. */
export async function startVectorServer(port = 0): Promise<VectorServer> {
  const runOf = createRuns();
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    serve(request, response, runOf).catch((error: unknown) => response.destroy(error as Error));
  });
  const webSockets = new WebSocketServer({ noServer: true });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('upgrade', (request, socket, head) => {
    const run = runOf(request.url ?? '');
    if (run === undefined) return socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    const { status, body = '', silent } = run.vector.server.upgrades?.[run.upgrades] ?? {};
    run.upgrades += 1;
    if (silent === true) return undefined;
    if (status !== undefined) {
      return socket.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
    }
    return webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      run.connections += 1;
      webSocket.on('message', (data: Buffer) => void hear(webSocket, data.toString(), run));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    http: `http://${host}`,
    ws: `ws://${host}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Finds the run a path names, `/FILE/INDEX/RUN`, and makes it when it is new. */
function createRuns(): (path: string) => Run | undefined {
  const runs = new Map<string, Run>();
  const vectors = readVectors();
  return (path) => {
    const known = runs.get(path);
    if (known !== undefined) return known;
    const [, file, index, name] = path.split('/');
    const vector = vectors.find((each) => each.file === file && String(each.index) === index);
    if (vector === undefined || name === undefined) return undefined;
    const run = {
      vector,
      requests: [],
      arrivals: new EventEmitter().setMaxListeners(0),
      upgrades: 0,
      connections: 0,
      open: 0,
      maxConcurrent: 0,
    };
    runs.set(path, run);
    return run;
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  runOf: ReturnType<typeof createRuns>,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const run = runOf(pathname.replace(/^\/seen/, ''));
  if (run === undefined) {
    response.writeHead(404).end('no such vector');
    return;
  }
  if (request.method === 'GET' && !pathname.startsWith('/seen')) {
    // A client asks why its last handshake was refused.
    const { status = 404, body = '' } = run.vector.server.upgrades?.[run.upgrades - 1] ?? {};
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    return;
  }
  if (request.method === 'GET') {
    await received(run, Number(searchParams.get('requests')));
    const { requests, connections, maxConcurrent } = run;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ requests, connections, maxConcurrent }));
    return;
  }
  run.open += 1;
  run.maxConcurrent = Math.max(run.maxConcurrent, run.open);
  response.on('close', () => (run.open -= 1));
  const text = Buffer.concat(await request.toArray()).toString();
  const exchange = next(run, text, request.headers) ?? { status: 500, body: 'unexpected request' };
  await received(run, exchange.untilRequests ?? 0);
  await answerHttp(response, exchange, text);
}

/** Records a request and returns the exchange for it. */
function next(run: Run, text: string, headers: IncomingMessage['headers']): Exchange | undefined {
  const parsed = JSON.parse(text) as SeenRequest['calls'][number] | SeenRequest['calls'];
  const batch = Array.isArray(parsed);
  const exchange = run.vector.server.exchanges?.[run.requests.length];
  const calls = (batch ? parsed : [parsed]) as SeenRequest['calls'];
  run.requests.push({ batch, calls, headers, text });
  run.arrivals.emit('request');
  return exchange;
}

/** Waits until the run has `count` requests. */
async function received({ requests, arrivals }: Run, count: number): Promise<void> {
  while (requests.length < count) await once(arrivals, 'request');
}

async function answerHttp(
  response: ServerResponse,
  exchange: Exchange,
  request: string,
): Promise<void> {
  if (exchange.silent === true) return;
  if (exchange.delayMs !== undefined) await sleep(exchange.delayMs);
  if (response.destroyed) return;
  if (exchange.cut === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = Buffer.from(messagesOf(exchange, request).join(''));
  const headers = Object.entries(exchange.headers ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/<date:(-?\d+)>/g, (_, seconds: string) => dateIn(Number(seconds))),
  ]);
  const isChunked = 'transfer-encoding' in (exchange.headers ?? {});
  response.writeHead(exchange.status ?? 200, {
    'content-type': 'application/json',
    ...(isChunked ? {} : { 'content-length': body.length }),
    ...Object.fromEntries(headers),
  });
  if (exchange.cut === undefined) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, exchange.cut), () => response.destroy());
}

async function hear(socket: WebSocket, request: string, run: Run): Promise<void> {
  const exchange = next(run, request, {}) ?? { close: { code: 1011, reason: 'unexpected' } };
  if (exchange.silent === true) {
    socket.pause();
    return;
  }
  await received(run, exchange.untilRequests ?? 0);
  if (exchange.delayMs !== undefined) await sleep(exchange.delayMs);
  for (const message of messagesOf(exchange, request)) {
    socket.send(message, { binary: exchange.binary ?? false });
  }
  if (exchange.close !== undefined) socket.close(exchange.close.code, exchange.close.reason);
  // A ping is written behind all messages.
  if (exchange.cut !== undefined) socket.ping('', false, () => socket.terminate());
}

/** The texts an exchange answers with: over HTTP one, on a socket any number. */
function messagesOf({ answers, as, body }: Exchange, request: string): readonly string[] {
  const parsed = JSON.parse(request) as { id?: unknown } | readonly { id?: unknown }[];
  const ids = (Array.isArray(parsed) ? parsed : [parsed]).map(({ id }) => id);
  if (body !== undefined) {
    return [
      body.replaceAll(/<id:(\d+)>/g, (_, place: string) => JSON.stringify(ids[Number(place)])),
    ];
  }
  if (answers === undefined) return [];
  const written = answers.map(({ of, id, ...rest }) => ({
    jsonrpc: '2.0',
    id: of === undefined ? (id ?? null) : ids[of],
    ...rest,
  }));
  if (as === 'messages') return written.map((each) => JSON.stringify(each));
  const list = as === undefined ? Array.isArray(parsed) : as === 'list';
  return [JSON.stringify(list ? written : written[0])];
}

function dateIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toUTCString();
}
