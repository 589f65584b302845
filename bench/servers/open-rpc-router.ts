// What one would build with the Router of @open-rpc/server-js: it checks params against the document
// and calls a handler, which asks the node over undici.
import { createServer, type ServerResponse } from 'node:http';
import { parseOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { Router } from '@open-rpc/server-js';
import { Pool } from 'undici';
import document from '../../openrpc.json' with { type: 'json' };
import { collectBody, listen } from './http.ts';

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

const node = new URL(process.argv[2]!);
const pool = new Pool(node.origin, { connections: 128, pipelining: 1 });
const headers = { 'content-type': 'application/json' };
let lastId = 0;

async function askNode(method: string, params: readonly unknown[]): Promise<unknown> {
  lastId += 1;
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
  const answer = await pool.request({ method: 'POST', path: '/', headers, body });
  const { result, error } = (await answer.body.json()) as { result?: unknown; error?: object };
  if (error !== undefined) throw new Error('the node answered an error');
  return result;
}

const handlers = Object.fromEntries(
  document.methods.map(({ name }) => [name, (...params: unknown[]) => askNode(name, params)]),
);
const router = new Router((await parseOpenRPCDocument(document as never)) as never, handlers);

async function answer({ id, method, params }: Request): Promise<object> {
  return { jsonrpc: '2.0', id, ...(await router.call(method, params as never)) };
}

async function send(response: ServerResponse, answers: Promise<unknown>): Promise<void> {
  const json = Buffer.from(JSON.stringify(await answers));
  response.writeHead(200, { ...headers, 'content-length': json.length });
  response.end(json);
}

listen(
  createServer((request, response) => {
    collectBody(request, (body) => {
      const message = JSON.parse(body.toString()) as Request | readonly Request[];
      const answers = Array.isArray(message)
        ? Promise.all(message.map(answer))
        : answer(message as Request);
      void send(response, answers);
    });
  }),
);
