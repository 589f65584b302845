import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import {
  createNodeFetch,
  type NodeModules,
} from '../../../generated/client/src/runtime/node-fetch.ts';
import { http } from '../../../generated/client/src/node.ts';
import { callOf, calm, rejection, sendResult, serveHttp } from '../servers.ts';

const encodings = [
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
] as const;

describe('the transport in Node', () => {
  test.each(encodings)('reads an answer compressed with %s', async (encoding, compress) => {
    await using server = await serveHttp((response, { id }, { headers }) => {
      expect(headers['accept-encoding']).toContain(encoding);
      response.setHeader('content-encoding', encoding);
      response.end(compress(JSON.stringify({ jsonrpc: '2.0', id, result: '€'.repeat(9_999) })));
    });
    expect((await http({ url: server.url })(callOf('m'), calm)).result).toBe('€'.repeat(9_999));
  });

  test.each(['GZIP', 'x-gzip'])(
    'knows gzip by its other name %s (RFC 9110, 8.4.1)',
    async (name) => {
      await using server = await serveHttp((response, { id }) => {
        response.setHeader('content-encoding', name);
        response.end(gzipSync(JSON.stringify({ jsonrpc: '2.0', id, result: 1 })));
      });
      expect((await http({ url: server.url })(callOf('m'), calm)).result).toBe(1);
    },
  );

  test.each(['constructor', '__proto__', 'compress'])(
    'does not decompress an unsupported encoding: %s',
    async (encoding) => {
      await using server = await serveHttp((response, { id }) => {
        response.setHeader('content-encoding', encoding);
        sendResult(response, id, 'plain');
      });
      expect((await http({ url: server.url })(callOf('m'), calm)).result).toBe('plain');
    },
  );

  test.each(encodings)('holds what %s unfolds to the bound', async (encoding, compress) => {
    await using server = await serveHttp((response) => {
      response.setHeader('content-encoding', encoding);
      response.end(compress('0'.repeat(1_000_000)));
    });
    const transport = http({ url: server.url, maxResponseBytes: 100_000 });
    const error = await rejection(transport(callOf('m'), calm));
    expect(error).toMatchObject({ reason: 'response_too_large' });
  });

  test('joins the pieces of a body while they arrive, so that single bytes do not add up', async () => {
    const listeners: Record<string, (argument?: unknown) => void> = {};
    const response = {
      statusCode: 200,
      headers: {},
      on(event: string, listener: () => void) {
        listeners[event] = listener;
        return response;
      },
      destroy() {},
    };
    const client = {
      Agent: Object,
      request: (_: object, onResponse: (body: typeof response) => void) => {
        queueMicrotask(() => onResponse(response));
        return { on: () => {}, end: () => {}, destroy: () => {} };
      },
    };
    const node = { http: client, urlToHttpOptions: () => ({}), byteLength: () => 0 };
    const fetch = createNodeFetch(node as unknown as NodeModules);
    const { signal } = new AbortController();
    const received = await fetch('http://a', {
      method: 'POST',
      headers: {},
      body: '',
      signal,
      redirect: 'manual',
    });
    const text = received.text();
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    const bytes = new TextEncoder().encode('€'.repeat(1_000));
    for (const byte of bytes) listeners['data']!(Uint8Array.of(byte));
    expect(decode.mock.calls.length).toBeGreaterThan(bytes.length - 1_000);
    decode.mockRestore();
    listeners['end']!();
    expect(await text).toBe('€'.repeat(1_000));
  });

  test('is unreachable if a compressed body is incomplete', async () => {
    await using server = await serveHttp((response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('"an answer that is cut"').subarray(0, 20));
    });
    const error = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(error).toMatchObject({ reason: 'unreachable' });
  });

  test('reuses its connection', async () => {
    const ports = new Set<number | undefined>();
    await using server = await serveHttp((response, { id }, { socket }) => {
      ports.add(socket.remotePort);
      sendResult(response, id, 'ok');
    });
    const transport = http({ url: server.url });
    for (let call = 0; call < 3; call += 1) await transport(callOf('m'), calm);
    expect(ports.size).toBe(1);
  });

  test('uses a replaced global fetch', async () => {
    const own = globalThis.fetch;
    globalThis.fetch = async () => new Response('{"jsonrpc":"2.0","id":1,"result":"mine"}');
    try {
      const answer = await http({ url: 'https://example.test/' })(callOf('m'), calm);
      expect(answer.result).toBe('mine');
    } finally {
      globalThis.fetch = own;
    }
  });
});
