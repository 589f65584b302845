import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { probeAnswer } from './probe-answer.ts';
import { callOf, startNetwork, textOf } from './support.ts';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

type Send = (response: ServerResponse, body: string) => void;

const sendPlain: Send = (response, body) => response.end(body);
const sendInChunks: Send = (response, body) => {
  response.write(body);
  response.end();
};
const sendCompressed: Send = (response, body) => {
  response.setHeader('content-encoding', 'gzip');
  response.end(gzipSync(body));
};

/** Answers with the first param; the id comes last. */
function answerTo(request: Request): string {
  const result = probeAnswer(request) ?? String(request.params[0]);
  return `{"jsonrpc":"2.0","result":${result},"id":${request.id}}`;
}

/** A node that sends its first response twice, so that all later ones on the connection are late by one. */
async function startNode(send: Send) {
  const waiting = new Map<Socket | null, string[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Request | readonly Request[];
      const isBatch = 'length' in message;
      const body = isBatch ? `[${message.map(answerTo).join()}]` : answerTo(message);
      if (!isBatch && message.method !== 'eth_test') return void response.end(body);
      const { socket } = response;
      const before = waiting.get(socket) ?? (waiting.size === 0 ? [body] : []);
      waiting.set(socket, before);
      before.push(body);
      return send(response, before.shift()!);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), waiting };
}

it.each([
  ['plain', sendPlain, [1, 1, 1, 1, 1, 1]],
  ['in chunks', sendInChunks, [1, 1, 1, 1, 1, 1]],
  ['compressed', sendCompressed, [1, 1, 1, 1, 1, 1]],
  ['to batches', sendPlain, [2, 2, 2, 2, 2, 2]],
  ['to a batch, then to single calls', sendPlain, [2, 1, 1, 1, 1, 1]],
  ['to a single call, then to batches', sendPlain, [1, 2, 2, 2, 2, 2]],
])('a repeated HTTP response delays no later response by one (%s)', async (_, send, sizes) => {
  const { url, waiting } = await startNode(send);
  const limits = { upstream_connections: 4, probe_interval_ms: 60_000 };
  const network = await startNetwork([url], { limits });
  let last = 0;
  for (const size of sizes) {
    // The pool uses the first connection again once its response has ended.
    await setImmediate();
    await setImmediate();
    const batch = {};
    const params = Array.from({ length: size }, () => (last += 1));
    const calls = params.map((param) =>
      network.stream(
        callOf('eth_test', `[${param}]`, size > 1 ? { batch } : {}),
        new AbortController().signal,
      ),
    );
    expect((await Promise.all(calls)).map(textOf)).toEqual(params.map(String));
  }
  expect(waiting.size).toBeGreaterThan(1);
  expect(network.outcomes.map(([, outcome]) => outcome)).not.toContain('malformed');
});
