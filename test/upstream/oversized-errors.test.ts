import { describe, expect, it } from 'vitest';
import { CHECKED_BYTES } from '../../src/json/object-scanner.ts';
import { startFakeNode } from './fake-node.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { callOf, openUpstream, startNetwork, textOf } from './support.ts';

const { signal } = new AbortController();
const MAX_ERROR_BYTES = 1_048_576;
const limits = { response_bytes: 8 * MAX_ERROR_BYTES };

/** Returns a response whose error has exactly so many bytes. */
function errorResponse(id: number, error_bytes: number): string {
  const error = '{"code":3,"message":"no","data":"'.padEnd(error_bytes - 2, '0') + '"}';
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
}

/** Starts a node whose errors have so many bytes. */
function startNode(transport: 'HTTP' | 'WebSocket', error_bytes: number): Promise<URL> {
  return startNodeOf(transport, (id) => errorResponse(id, error_bytes));
}

/** Starts a node with such responses to calls. */
async function startNodeOf(
  transport: 'HTTP' | 'WebSocket',
  responseTo: (id: number) => string,
): Promise<URL> {
  if (transport === 'HTTP') {
    const node = await startFakeNode(({ id, method }, response) => {
      if (method === 'eth_test') response.end(responseTo(id));
      return undefined;
    });
    return node.url;
  }
  const node = await startFakeSocketNode(({ id }, socket) => {
    socket.send(responseTo(id));
    return undefined;
  });
  return node.url;
}

describe.each(['HTTP', 'WebSocket'] as const)('an error of a node over %s', (transport) => {
  it.each([
    ['whole', false],
    ['streamed', true],
  ])('above the size limit fails only its call where results are %s', async (_, streams) => {
    const other = await startFakeNode(() => '"other node"');
    const url = await startNode(transport, MAX_ERROR_BYTES + 1);
    const network = await startNetwork([url, other.url], {
      limits: { ...limits, breaker_attempts: 2, breaker_failures: 1 },
      nodes: [{ tier: 1 }, { tier: 2 }],
    });
    const outcome = await network.call(callOf('eth_test', '[]', { streams }), signal);
    expect(outcome).toMatchObject({
      kind: 'failure',
      cause: 'too_large',
      limit_bytes: MAX_ERROR_BYTES,
    });
    expect(other.requests).toEqual([]);
    expect(network.status()[0]).toMatchObject({ isHealthy: true, breaker: 'closed' });
  });

  it('of the maximum size is returned', async () => {
    const node = await startNode(transport, MAX_ERROR_BYTES);
    const network = await startNetwork([node], { limits });
    expect(textOf(await network.call(callOf('eth_test', '[]'), signal))).toBe('error 3');
  });

  it.each([
    ['numbers', '0,'],
    ['objects of different shapes', '{"N":0},'],
  ])('of very many %s fails only its call', async (_, value) => {
    const values = Array.from({ length: 50_000 }, (__, index) => value.replace('N', `${index}`));
    const data = values.join('').slice(0, -1);
    const url = await startNodeOf(
      transport,
      (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":3,"message":"no","data":[${data}]}}`,
    );
    const network = await startNetwork([url], { limits });
    const outcome = await network.call(callOf('eth_test', '[]'), signal);
    expect(outcome).toMatchObject({
      cause: 'malformed',
      detail: 'error in the response has more than 2000 values',
    });
    expect(network.status()[0]).toMatchObject({ isHealthy: true, breaker: 'closed' });
  });

  it('that is not valid JSON after its first 64 KiB fails only its call', async () => {
    const data = 'x'.repeat(CHECKED_BYTES);
    const url = await startNodeOf(
      transport,
      (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":3,"message":"no","data":"${data}",!}}`,
    );
    const network = await startNetwork([url]);
    const outcome = await network.call(callOf('eth_test', '[]'), signal);
    expect(outcome).toMatchObject({ kind: 'failure', cause: 'malformed' });
    expect(network.status()[0]).toMatchObject({ isHealthy: true, breaker: 'closed' });
  });
});

describe('an error above the size limit over HTTP', () => {
  it('is not read to its end by a call that accepts streams', async () => {
    const node = await startFakeNode(({ id }, response) => {
      // The node never ends its response.
      response.write(errorResponse(id, 2 * MAX_ERROR_BYTES).slice(0, -2));
      return undefined;
    });
    const upstream = openUpstream(node.url, limits);
    const call = callOf('eth_test', '[]', { streams: true });
    expect(textOf(await upstream(call, signal))).toBe('too_large');
  });
});
