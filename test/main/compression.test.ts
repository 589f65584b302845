import { once } from 'node:events';
import { request as open, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { eventually } from '../transport/eventually.ts';
import { call, request } from '../transport/support.ts';
import { startFakeNode, type Behavior } from '../upstream/fake-node.ts';
import { resultOf, send } from '../upstream/stream-support.ts';
import { configFor, start, type TestGateway } from './support.ts';

interface Encoded {
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
}

const decode: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Asks with the header as it is given; no client between. */
async function begin(url: string, accept: string, body?: string): Promise<IncomingMessage> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/json', 'accept-encoding': accept };
  const asked = open(url, { method, headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function ask(url: string, accept: string, body?: string): Promise<Encoded> {
  const response = await begin(url, accept, body);
  const { headers } = response;
  const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
  const coding = headers['content-encoding'];
  const plain = coding === undefined ? bytes : decode[coding]!(bytes);
  return { headers, bytes, text: plain.toString() };
}

async function gatewayOf(
  behavior: Behavior,
  overrides: Parameters<typeof configFor>[1] = {},
): Promise<TestGateway> {
  const node = await startFakeNode(behavior);
  // Patient with a node that shares its thread with the test.
  const limits = { probe_interval_ms: 100, probe_ms: 5_000, ...overrides.limits };
  return start(await configFor([node.url], { ...overrides, limits }));
}

const sizes = [
  ['a small', 8_000],
  ['a larger', 100_000],
  ['a streamed', 3_000_000],
] as const;

describe('an answer', () => {
  it.each(sizes)('of %s size is compressed as the caller accepts', async (_size, length_bytes) => {
    const result = resultOf(length_bytes);
    const gateway = await gatewayOf(() => result);
    for (const [accept, coding] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['identity', undefined],
      ['deflate', undefined],
    ] as const) {
      const { headers, bytes, text } = await ask(gateway.rpcUrl, accept, call());
      expect(headers['content-encoding']).toBe(coding);
      expect(headers['vary']).toBe('accept-encoding');
      expect(headers['x-credits-cost']).toBe('80');
      expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
      if (coding === undefined) expect(bytes.length).toBe(Buffer.byteLength(text));
      else expect(bytes.length).toBeLessThan(text.length / 5);
    }
  });

  it('that is tiny is not compressed, unless the caller refuses uncompressed answers', async () => {
    const gateway = await gatewayOf(() => '"tiny"');
    const plain = await ask(gateway.rpcUrl, 'gzip, br', call());
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['vary']).toBeUndefined();
    for (const accept of ['br, identity;q=0', '*;q=0, br']) {
      const encoded = await ask(gateway.rpcUrl, accept, call());
      expect(encoded.headers['content-encoding']).toBe('br');
      expect(encoded.text).toContain('"tiny"');
    }
    const refused = await ask(gateway.rpcUrl, 'identity;q=0', call());
    expect(refused.headers['content-encoding']).toBeUndefined();
    const nothing = await begin(
      gateway.rpcUrl,
      'gzip, identity;q=0',
      '{"jsonrpc":"2.0","method":"eth_getBlock"}',
    );
    expect(nothing.statusCode).toBe(204);
    expect(nothing.headers['content-encoding']).toBeUndefined();
  });

  it('to a batch is compressed by its whole size', async () => {
    const gateway = await gatewayOf(() => `"${'0x12ab'.repeat(100)}"`);
    const batch = `[${Array.from({ length: 20 }, (_, id) => call(id)).join(',')}]`;
    const { headers, text } = await ask(gateway.rpcUrl, 'gzip', batch);
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(text)).toHaveLength(20);
  });

  it('is not compressed if the operator turned compression off, or if it is smaller than configured', async () => {
    const compression = { enabled: false, brotliQuality: 1, gzipLevel: 1 };
    const off = await gatewayOf(() => resultOf(100_000), { compression });
    const plain = await ask(off.rpcUrl, 'gzip, identity;q=0', call());
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['vary']).toBeUndefined();
    const limits = { compress_from_bytes: 100 };
    const eager = await gatewayOf(() => resultOf(200), { limits });
    const { headers } = await ask(eager.rpcUrl, 'gzip', call());
    expect(headers['content-encoding']).toBe('gzip');
  });

  it('is sent uncompressed while the maximum number of answers is being compressed', async () => {
    const limits = { compressed_streams: 1 };
    const gateway = await gatewayOf(endless, { limits });
    const [first, second] = [
      await begin(gateway.rpcUrl, 'gzip', call()),
      await begin(gateway.rpcUrl, 'gzip', call()),
    ];
    expect(first.headers['content-encoding']).toBe('gzip');
    expect(second.headers['content-encoding']).toBeUndefined();
    first.destroy();
    second.destroy();
    await eventually(async () => {
      const third = await begin(gateway.rpcUrl, 'gzip', call());
      third.destroy();
      return third.headers['content-encoding'];
    }).toBe('gzip');
  });

  it('that breaks while it is compressed is cut, and costs nothing', async () => {
    const gateway = await gatewayOf(async ({ id, method }, response) => {
      if (method !== 'eth_getBlock') return undefined;
      await send(response, `{"id":${id},"result":["${'x'.repeat(3_000_000)}"`);
      response.destroy();
      return undefined;
    });
    const response = await begin(gateway.rpcUrl, 'br', call());
    await expect(response.toArray()).rejects.toThrow('aborted');
    const usage = await request(`${gateway.rpcUrl}/usage`, { method: 'GET' });
    expect(usage.body).toMatchObject({ used: 0 });
  });
});

describe('the document', () => {
  it('has a body and an ETag for each coding', async () => {
    const gateway = await gatewayOf(() => '1', { limits: { compress_from_bytes: 50 } });
    const url = `${gateway.networks[0]!.http}/v3/openrpc.json`;
    const forms = await Promise.all(['identity', 'gzip', 'br'].map((accept) => ask(url, accept)));
    expect(new Set(forms.map(({ text }) => text)).size).toBe(1);
    expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers, bytes } of forms) {
      expect(headers['vary']).toBe('accept-encoding');
      expect(headers['content-length']).toBe(String(bytes.length));
    }
    const again = await fetch(url, {
      headers: { 'accept-encoding': 'br', 'if-none-match': forms[2]!.headers.etag! },
    });
    expect(again.status).toBe(304);
    const head = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.headers.get('content-encoding')).toBe('br');
    expect(head.headers.get('content-length')).toBe(String(forms[2]!.bytes.length));
  });
});

/** Sends without end, until the connection is closed. */
async function endless(
  { id, method }: Parameters<Behavior>[0],
  response: Parameters<Behavior>[1],
): Promise<undefined> {
  if (method !== 'eth_getBlock') return undefined;
  response.write(`{"id":${id},"result":["x"`);
  while (!response.destroyed) await send(response, `,"${'x'.repeat(65_000)}"`);
  return undefined;
}
