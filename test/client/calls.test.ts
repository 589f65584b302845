import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import openrpc from '../../openrpc.json' with { type: 'json' };
import type { buildClient } from '../../generator/targets/client/runtime/build-client.ts';
import type { http } from '../../generator/targets/client/runtime/http.ts';
import type { PendingCall } from '../../generator/targets/client/runtime/options.ts';
import type { webSocket } from '../../generator/targets/client/runtime/web-socket.ts';
import { type EmittedPackage, emitPackage } from './emit.ts';
import { rejection, type SeenRequest, sendJson, serveHttp, serveSocket } from './servers.ts';

/** The part of the client package that is used here. */
interface Emitted {
  createClient(options: Parameters<typeof buildClient>[0]): {
    ethGetProof(...args: readonly unknown[]): PendingCall<unknown>;
    ethEstimateGas(...args: readonly unknown[]): Promise<unknown>;
    request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>;
    close(): void;
  };
  readonly http: typeof http;
  readonly webSocket: typeof webSocket;
  readonly [name: string]: unknown;
}

const address = `0x${'11'.repeat(20)}`;
const reverted = { code: 3, message: 'execution reverted: boom', data: '0x08c379a0' };
const exhausted = {
  code: 402,
  message: 'daily credits exhausted',
  data: { reason: 'credits_exhausted', cost: 150, remaining: 7, resetsAt: '2026-01-02T00:00:00Z' },
};

/** The fake service answers as the first param demands. */
function answerOf({ id, method, params }: SeenRequest): { status: number; body: unknown } | null {
  const [wish] = (params ?? []) as unknown[];
  if (wish === 'silence') return null;
  if (method === 'eth_estimateGas') {
    return { status: 200, body: { jsonrpc: '2.0', id, error: reverted } };
  }
  if (wish === 'exhausted') return { status: 402, body: { jsonrpc: '2.0', id, error: exhausted } };
  return { status: 200, body: { jsonrpc: '2.0', id, result: { method, params } } };
}

const overHttp = () =>
  serveHttp((response, request) => {
    const answer = answerOf(request);
    if (answer !== null) sendJson(response, answer.status, answer.body);
  });

const overSocket = () =>
  serveSocket((socket, request) => {
    const answer = answerOf(request);
    if (answer !== null) socket.send(JSON.stringify(answer.body));
  });

let folder: EmittedPackage;
let emitted: Emitted;
beforeAll(async () => {
  folder = await emitPackage(openrpc);
  // Node runs TypeScript sources.
  emitted = await import(pathToFileURL(join(folder.folder, 'src/index.ts')).href);
});
afterAll(() => folder[Symbol.asyncDispose]());

describe.each([
  ['HTTP', overHttp, (url: string) => emitted.http({ url })],
  ['WebSocket', overSocket, (url: string) => emitted.webSocket({ url })],
  [
    'WebSocket of the ws package',
    overSocket,
    (url: string) => emitted.webSocket({ url, WebSocket: WsWebSocket }),
  ],
] as const)('the client of openrpc.json over %s', (_, serve, connect) => {
  test('calls a method by function and by name', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url) });
    const params = [address, [], 'latest'];
    const result = { method: 'eth_getProof', params };
    expect(await client.ethGetProof(...params)).toEqual(result);
    expect(await client.request({ method: 'eth_getProof', params })).toEqual(result);
    client.close();
  });

  test('rejects with the class of the error', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url) });
    const revert = await rejection(client.ethEstimateGas({ to: address }));
    expect(revert).toBeInstanceOf(emitted['ExecutionRevertedError']);
    expect(revert).toMatchObject({
      ...reverted,
      name: 'ExecutionRevertedError',
      reason: null,
      revertReason: 'boom',
      method: 'eth_estimateGas',
      retryable: false,
    });
    const broke = await rejection(client.ethGetProof('exhausted', []));
    expect(broke).toBeInstanceOf(emitted['CreditsExhaustedError']);
    expect(broke).toMatchObject(exhausted);
    client.close();
  });

  test('rejects after the timeout of the client, or of the call', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url), timeoutMs: 400 });
    for (const options of [{}, { timeoutMs: 20 }]) {
      const error = await rejection(client.ethGetProof('silence', [], undefined, options));
      expect(error).toMatchObject({
        name: 'TimeoutError',
        method: 'eth_getProof',
        timeoutMs: 400,
        ...options,
      });
    }
    expect(await client.ethGetProof(address, [])).toMatchObject({ method: 'eth_getProof' });
    client.close();
  });

  test('rejects with an AbortError when the call’s signal is aborted', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url) });
    const controller = new AbortController();
    const { signal } = controller;
    const call = rejection(client.ethGetProof('silence', [], 'latest', { signal }));
    await expect.poll(() => server.seen.length).toBe(1);
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    client.close();
  });
});

describe('hooks', () => {
  test('are called before and after each attempt', async () => {
    let refused = false;
    await using server = await serveHttp((response, request) => {
      if (!refused) response.writeHead(503).end();
      else sendJson(response, 200, answerOf(request)!.body);
      refused = true;
    });
    const seen: unknown[] = [];
    const client = emitted.createClient({
      transport: emitted.http({ url: server.url }),
      backoffMs: 1,
      onRequest: ({ call, attempt }) => seen.push(['sent', call.method, attempt]),
      onResponse: ({ attempt, answer, error, durationMs }) => {
        const { status } = (answer ?? error) as { status?: number };
        seen.push(['ended', attempt, answer?.response?.status ?? status]);
        expect(durationMs).toBeGreaterThanOrEqual(0);
      },
      onRetry: ({ call, attempt }) => seen.push(['again', call.method, attempt]),
    });
    await client.ethGetProof(address, []);
    expect(seen).toEqual([
      ['sent', 'eth_getProof', 1],
      ['ended', 1, 503],
      ['again', 'eth_getProof', 1],
      ['sent', 'eth_getProof', 2],
      ['ended', 2, 200],
    ]);
  });
});

describe('a call’s response', () => {
  test('is returned with the result on request', async () => {
    await using server = await overHttp();
    const client = emitted.createClient({ transport: emitted.http({ url: server.url }) });
    const { result, credits, headers, status } = await client
      .ethGetProof(address, [])
      .withResponse();
    expect(result).toMatchObject({ method: 'eth_getProof' });
    expect([credits, status, headers?.get('x-credits-cost')]).toEqual([80, 200, '80']);
  });

  test('rejects without an unhandled rejection', async () => {
    await using server = await overHttp();
    const client = emitted.createClient({ transport: emitted.http({ url: server.url }) });
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const error = await rejection(client.ethGetProof('exhausted', []).withResponse());
    // A rejection without a handler is reported at the end of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(error).toMatchObject({ response: { status: 402 }, resetsAt: exhausted.data.resetsAt });
    expect(unhandled).toEqual([]);
  });
});

test('a signal keeps no listeners of completed calls', async () => {
  await using server = await overHttp();
  const client = emitted.createClient({ transport: emitted.http({ url: server.url }) });
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, args);
  };
  for (let call = 0; call < 20; call += 1)
    await client.ethGetProof(address, [], 'latest', { signal });
  expect(listeners).toBe(0);
});

test.each([0, -1, Number.NaN])('a timeout of %d ms is rejected', (timeoutMs) => {
  const transport = emitted.http({ url: 'http://h/' });
  expect(() => emitted.createClient({ transport, timeoutMs })).toThrow(/^timeoutMs: expected /);
});
