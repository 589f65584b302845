import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import type { StreamingOutcome } from '../../src/upstream/upstream.ts';
import { probeAnswer } from './probe-answer.ts';
import { readAll } from './stream-support.ts';
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

const LARGE_BYTES = 80_000;

/** Answers with the first param, padded for `eth_large`; the id comes last, except in a large batch. */
function answerTo(request: Request, _?: number, batch?: readonly Request[]): string {
  const { id, method, params } = request;
  const isLarge = method === 'eth_large';
  const param = String(params[0]);
  const result = probeAnswer(request) ?? (isLarge ? `"${param.padEnd(LARGE_BYTES)}"` : param);
  if (isLarge && batch !== undefined) return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
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
      if (!isBatch && probeAnswer(message) !== undefined) return void response.end(body);
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

it.each([
  ['to a batch', sendPlain, [2, 1, 1, 1, 1, 1], ['1', '2', '3', '4', '5', '6', '7']],
  // The second call gets the beginning of the wrong result, before its id, and is cut.
  [
    'to a single call, compressed',
    sendCompressed,
    [1, 1, 1, 1, 1, 1],
    ['1', 'interrupted', '3', '4', '5', '6'],
  ],
])(
  'a repeated large HTTP response delays no later response by one (%s)',
  async (_, send, sizes, results) => {
    const { url } = await startNode(send);
    const limits = {
      upstream_connections: 4,
      probe_interval_ms: 60_000,
      response_bytes: 1_000_000,
    };
    const network = await startNetwork([url], { limits });
    const { signal } = new AbortController();
    const received: string[] = [];
    for (const size of sizes) {
      await setImmediate();
      await setImmediate();
      const rest = size > 1 ? { batch: {} } : { streams: true };
      const first = received.length + 1;
      const calls = Array.from({ length: size }, async (__, index) => {
        const call = callOf('eth_large', `[${first + index}]`, rest);
        return readNumber(await network.stream(call, signal));
      });
      received.push(...(await Promise.all(calls)));
    }
    expect(received).toEqual(results);
  },
);

it('a node that repeats its responses to one account delays those to others once', async () => {
  let repeats = 0;
  const late = new Map<Socket, string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Request;
      const { socket } = request;
      const before = late.get(socket);
      late.delete(socket);
      if (before !== undefined) {
        repeats += 1;
        socket.write(before);
      }
      const body = answerTo(message);
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
      if (message.method === 'eth_repeated') late.set(socket, `${head}${body}`);
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const limits = { upstream_connections: 4, probe_interval_ms: 60_000 };
  const network = await startNetwork([url], { limits });
  const { signal } = new AbortController();
  for (let round = 1; round <= 5; round += 1) {
    const ask = async (account: string, method: string): Promise<string> => {
      // The pool uses the connection again once its response has ended.
      await setImmediate();
      await setImmediate();
      return textOf(await network.stream(callOf(method, `[${round}]`, { account }), signal));
    };
    expect(await ask('hostile', 'eth_repeated')).toBe(String(round));
    expect(await ask('other', 'eth_test')).toBe(String(round));
  }
  expect(repeats).toBe(1);
});

/** Returns the number in a padded result, or why there is none. */
async function readNumber(outcome: StreamingOutcome): Promise<string> {
  if (outcome.kind !== 'stream') return textOf(outcome).replaceAll(/[" ]/g, '');
  const { text, broken } = await readAll(outcome);
  return broken?.reason ?? text.replaceAll(/[" ]/g, '');
}
