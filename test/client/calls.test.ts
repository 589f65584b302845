import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import openrpc from '../../openrpc.json' with { type: 'json' };
import type { buildClient } from '../../generator/targets/client/runtime/build-client.ts';
import type { http } from '../../generator/targets/client/runtime/http.ts';
import type { webSocket } from '../../generator/targets/client/runtime/web-socket.ts';
import { type EmittedPackage, emitPackage } from './emit.ts';
import { rejection, type SeenRequest, sendJson, serveHttp, serveSocket } from './servers.ts';

/** What is used here of the package of openrpc.json; the classes by their names. */
interface Emitted {
  createClient(options: Parameters<typeof buildClient>[0]): {
    ethGetProof(...args: readonly unknown[]): Promise<unknown>;
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

/** The fake service: what the method's first parameter asks for. */
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
  // Node runs the sources as they are.
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
  test('calls a method by its member and by its own name alike', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url) });
    const params = [address, [], 'latest'];
    const result = { method: 'eth_getProof', params };
    expect(await client.ethGetProof(...params)).toEqual(result);
    expect(await client.request({ method: 'eth_getProof', params })).toEqual(result);
    client.close();
  });

  test('rejects with the error’s own class', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url) });
    const revert = await rejection(client.ethEstimateGas({ to: address }));
    expect(revert).toBeInstanceOf(emitted['ExecutionRevertedError']);
    expect(revert).toMatchObject({
      ...reverted,
      name: 'ExecutionRevertedError',
      reason: 'execution_reverted',
      revertReason: 'boom',
      method: 'eth_estimateGas',
      charged: true,
      retryable: false,
    });
    const broke = await rejection(client.ethGetProof('exhausted', []));
    expect(broke).toBeInstanceOf(emitted['CreditsExhaustedError']);
    expect(broke).toMatchObject(exhausted);
    client.close();
  });

  test('gives up after the client’s time, or the call’s own', async () => {
    await using server = await serve();
    const client = emitted.createClient({ transport: connect(server.url), timeoutMs: 40 });
    for (const options of [{}, { timeoutMs: 20 }]) {
      const error = await rejection(client.ethGetProof('silence', [], undefined, options));
      expect(error).toMatchObject({
        name: 'TimeoutError',
        method: 'eth_getProof',
        timeoutMs: 40,
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

test('the client tells of each HTTP response, an error’s too', async () => {
  await using server = await overHttp();
  const told: unknown[] = [];
  const client = emitted.createClient({
    transport: emitted.http({ url: server.url }),
    onResponse: ({ status, headers }, method) =>
      told.push([status, headers.get('x-credits-cost'), method]),
  });
  const own: number[] = [];
  const onResponse = ({ status }: { status: number }) => own.push(status);
  await client.ethGetProof(address, [], 'latest', { onResponse });
  const error = await rejection(client.ethGetProof('exhausted', []));
  expect(told).toEqual([
    [200, '80', 'eth_getProof'],
    [402, '80', 'eth_getProof'],
  ]);
  expect(own).toEqual([200]);
  expect(error).toMatchObject({ response: { status: 402 } });
});

test.each([0, -1, Number.NaN])('a time of %d ms is refused', (timeoutMs) => {
  const transport = emitted.http({ url: 'http://h/' });
  expect(() => emitted.createClient({ transport, timeoutMs })).toThrow(/^timeoutMs is /);
});
