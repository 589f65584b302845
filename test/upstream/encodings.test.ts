import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openUpstream as open } from '../../src/upstream/open-upstream.ts';
import { startFakeNode, type Behavior } from './fake-node.ts';
import { ask, openUpstream, params, textOf } from './support.ts';

const result = `{ "u64" : 18446744073709551615 , "text":"${'é '.repeat(2_000)}" }`;

function encoded(coding: string, compress: (body: string) => Buffer, status = 200): Behavior {
  return ({ id }, response) => {
    const body = compress(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    response.writeHead(status, { 'content-encoding': coding }).end(body);
    return undefined;
  };
}

describe('a compressed response', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['identity', (body: string) => Buffer.from(body)],
  ] as const)('supports %s', async (coding, compress) => {
    const node = await startFakeNode(encoded(coding, compress));
    expect(textOf(await ask(openUpstream(node.url)))).toBe(result);
  });

  it('gets an Accept-Encoding header unless compression is off', async () => {
    const accepted: (string | undefined)[] = [];
    const node = await startFakeNode((_request, { req }) => {
      accepted.push(req.headers['accept-encoding'] as string | undefined);
      return '1';
    });
    await ask(openUpstream(node.url));
    const plain = open({ url: node.url, headers: {}, compression: false });
    await ask(plain.call);
    await plain.close();
    expect(accepted).toEqual(['gzip', undefined]);
  });

  it.each([
    ['an unsupported encoding', encoded('deflate', deflateSync)],
    // 800 bytes of it may hold a gigabyte.
    ['brotli', encoded('br', brotliCompressSync)],
    ['invalid gzip', encoded('gzip', (body) => Buffer.from(body))],
    ['truncated gzip', encoded('gzip', (body) => gzipSync(body).subarray(0, -12))],
  ] as const)('fails on %s and works on the next call', async (_what, behavior) => {
    const node = await startFakeNode(behavior);
    const upstream = openUpstream(node.url);
    expect(await ask(upstream)).toMatchObject({ kind: 'failure', cause: 'malformed' });
    node.behave(() => '7');
    expect(textOf(await ask(upstream))).toBe('7');
  });

  it('is bounded by the decompressed size', async () => {
    const bomb = gzipSync(JSON.stringify({ id: 1, result: 'x'.repeat(20_000_000) }));
    expect(bomb.length).toBeLessThan(50_000);
    const node = await startFakeNode((_request, response) => {
      response.setHeader('content-encoding', 'gzip').end(bomb);
      return undefined;
    });
    expect(textOf(await ask(openUpstream(node.url)))).toBe('too_large');
  });

  it('may compress errors', async () => {
    const node = await startFakeNode(({ id }, response) => {
      const body = gzipSync(`{"id":${id},"error":{"code":-32602,"message":"no"}}`);
      response.writeHead(400, { 'content-encoding': 'gzip' }).end(body);
      return undefined;
    });
    expect(textOf(await ask(openUpstream(node.url)))).toBe('error -32602');
    node.behave(encoded('gzip', gzipSync, 503));
    expect(textOf(await ask(openUpstream(node.url)))).toBe('status');
  });
});

describe('an HTTP upstream that rejects calls', () => {
  const refuse =
    (status: number, body: (id: number) => string): Behavior =>
    ({ id }, response) =>
      void response.writeHead(status).end(body(id));
  const error = (id: number, code = -32000): string =>
    `{"id":${id},"error":{"code":${code},"message":"execution reverted"}}`;

  it.each([
    [400, error, 'error -32000'],
    [404, error, 'error -32000'],
    [400, () => 'Bad Request', 'status'],
    [400, (id: number) => `{"id":${id},"result":1}`, 'status'],
    [400, (id: number) => error(id + 1), 'status'],
    [401, error, 'status'],
    [403, error, 'status'],
    [429, error, 'status'],
    // The historical draft of JSON-RPC over HTTP gives 500 to errors of the node and of the call alike.
    [500, error, 'error -32000'],
    [500, (id: number) => error(id, 3), 'error 3'],
    [500, (id: number) => error(id, -32603), 'status'],
    [502, error, 'status'],
    [503, error, 'status'],
  ] as const)('reads the reason of status %i', async (status, body, text) => {
    const node = await startFakeNode(refuse(status, body));
    expect(textOf(await ask(openUpstream(node.url)))).toBe(text);
  });

  it.each([
    ['of one account, to whom it is due', ['a', 'a', 'a', 'a'], 'unread'],
    ['of several accounts', ['a', 'b', 'c', 'd'], 'overloaded'],
  ])('bounds the bytes of all buffered responses: %s', async (_, accounts, cause) => {
    const held = Promise.withResolvers<void>();
    const node = await startFakeNode(async ({ id }, response) => {
      response.write(`{"id":${id},"result":"${'x'.repeat(30_000)}`);
      await held.promise;
      response.end('"}');
      return undefined;
    });
    const upstream = openUpstream(node.url, { held_bytes: 100_000 });
    const { signal } = new AbortController();
    const askAs = (account: string) => upstream({ method: 'eth_test', params, account }, signal);
    const calls = accounts.map(askAs);
    expect(textOf(await Promise.race(calls))).toBe(cause);
    held.resolve();
    const texts = (await Promise.all(calls)).map((outcome) => outcome.kind);
    expect(texts.filter((kind) => kind === 'result')).toHaveLength(3);
    expect((await askAs('a')).kind).toBe('result');
  });

  it('discards a buffered response of the account that holds most, not of another one', async () => {
    const held = Promise.withResolvers<void>();
    const node = await startFakeNode(async ({ id }, response) => {
      response.write(`{"id":${id},"result":"${'x'.repeat(30_000)}`);
      await held.promise;
      response.end('"}');
      return undefined;
    });
    const upstream = openUpstream(node.url, { held_bytes: 100_000 });
    const askAs = (account: string) =>
      upstream({ method: 'eth_test', params, account }, new AbortController().signal);
    const busy = [1, 2, 3].map(() => askAs('busy'));
    await expect.poll(() => node.requests.length).toBe(3);
    const quiet = askAs('quiet');
    expect(textOf(await Promise.race(busy))).toBe('unread');
    held.resolve();
    expect((await quiet).kind).toBe('result');
  });
});
