import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { printBigInts } from '../../common/json/exact.ts';
import { isObject } from '../../common/json/value.ts';

/** A running development node. */
export interface DevnetNode {
  /** The network's name: `evm`, `archive`, `solana`. */
  readonly name: string;
  readonly httpUrl: string;
  /** Undefined if the node does not support WebSocket. */
  readonly wsUrl?: string;
  /** Closes all sockets and frees the port. */
  stop(): Promise<void>;
}

/** A JSON-RPC error of a node; other exceptions become -32603 `Internal error`. */
export class NodeError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'NodeError';
    this.code = code;
    this.data = data;
  }
}

/**
 * Handles one call. `params` is the request's (undefined if absent); integers beyond 2^53 are bigint
 * in params and results. Throws NodeError, -32601 for an unknown method.
 */
export interface NodeHandler {
  (method: string, params: unknown): unknown;
}

/** Twice the gateway's request limit, so that forwarded calls always fit. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Serves a handler as JSON-RPC 2.0 over HTTP POST on 127.0.0.1, single calls and batches, any path.
 * Errors have HTTP status 200, as with real nodes. Port 0 or undefined is any free port.
 *
 * @throws the socket's error, such as EADDRINUSE.
 */
export function startNodeServer(options: {
  readonly name: string;
  readonly port?: number;
  readonly handle: NodeHandler;
}): Promise<DevnetNode> {
  const { name, port = 0, handle } = options;
  const server = createServer((request, response) => {
    // Reading the body fails if the client disconnects.
    respond(handle, request, response).catch(() => response.destroy());
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const { port: bound } = server.address() as AddressInfo;
      resolve({ name, httpUrl: `http://127.0.0.1:${bound}`, stop });
    });
  });
}

async function respond(
  handle: NodeHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    return sendText(response, 405, 'Used HTTP Method is not allowed. POST is required\n');
  }
  const body = await readBody(request);
  if (body === undefined) return sendText(response, 413, 'The request body is too large\n');
  const answer = await answerBody(handle, body);
  response.writeHead(200, { 'content-type': 'application/json' }).end(printBigInts(answer) ?? '');
}

/** Returns undefined if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Destroying the request would close its socket before the 413 is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
}

/** Handles a request or batch (JSON-RPC 2.0, 4 to 6). Returns undefined for notifications. */
async function answerBody(handle: NodeHandler, body: string): Promise<object | undefined> {
  let request: unknown;
  try {
    request = parseWithBigInts(body);
  } catch {
    return failure(null, new NodeError(-32700, 'Parse error'));
  }
  if (!Array.isArray(request)) return answerCall(handle, request);
  if (request.length === 0) return failure(null, invalidRequest());
  const answers = [];
  for (const call of request) {
    const answer = await answerCall(handle, call);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : answers;
}

async function answerCall(handle: NodeHandler, call: unknown): Promise<object | undefined> {
  if (!isObject(call)) return failure(null, invalidRequest());
  const { id, jsonrpc, method, params }: Readonly<Record<string, unknown>> = call;
  if (!['undefined', 'string', 'number', 'bigint'].includes(typeof id) && id !== null) {
    return failure(null, invalidRequest());
  }
  const isValid = jsonrpc === '2.0' && (params === undefined || typeof params === 'object');
  if (!isValid || typeof method !== 'string') return failure(id ?? null, invalidRequest());
  try {
    const result = await handle(method, params);
    return id === undefined ? undefined : { jsonrpc: '2.0', result: result ?? null, id };
  } catch (thrown) {
    const error = thrown instanceof NodeError ? thrown : new NodeError(-32603, 'Internal error');
    return id === undefined ? undefined : failure(id, error);
  }
}

function failure(id: unknown, { code, message, data }: NodeError): object {
  return { jsonrpc: '2.0', error: { code, message, data }, id };
}

function invalidRequest(): NodeError {
  return new NodeError(-32600, 'Invalid request');
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** The proposal "JSON.parse source text access", which TypeScript does not declare yet. */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Integers of up to 64 bits; longer ones stay numbers. */
const INTEGER = /^-?\d{1,20}$/;

/** Parses integers beyond 2^53 as bigint. */
function parseWithBigInts(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && INTEGER.test(source)
      ? BigInt(source)
      : value,
  );
}
