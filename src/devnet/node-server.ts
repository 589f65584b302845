import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerBody, type NodeHandler } from './node-envelope.ts';
import type { DevnetNode } from './node.ts';

export { NodeError, type NodeHandler } from './node-envelope.ts';

/** Twice what the gateway accepts from its own callers, so a call it forwards always fits. */
const maxBodyBytes = 2 * 1024 * 1024;

/** How a development node is started; `port` 0 or absent takes any free one. */
export interface NodeServerOptions {
  readonly name: string;
  readonly port?: number;
  readonly handle: NodeHandler;
}

/** @returns the body as text, or undefined as soon as it is longer than the bound. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The request must outlive the loop, or its socket is gone before 413 can be said.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
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
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer ?? '');
}

/**
 * Serves a handler as JSON-RPC 2.0 over HTTP POST on 127.0.0.1, single calls and batches, any path.
 * An RPC error is HTTP 200, as nodes answer it; a bigint in a result is written as the exact integer.
 *
 * @throws the socket's error, such as EADDRINUSE, when the port cannot be taken.
 */
export function startNodeServer(options: NodeServerOptions): Promise<DevnetNode> {
  const { name, port = 0, handle } = options;
  const server = createServer((request, response) => {
    // A caller that hangs up in the middle of its body leaves nobody to answer.
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
