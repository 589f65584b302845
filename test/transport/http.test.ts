import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { GatewayReason } from '../../src/errors/catalog.ts';
import { call, post, request, serveNetwork } from './support.ts';

describe('an HTTP call', () => {
  it('is answered at {base_url}/v3/<key>, with or without a trailing slash', async () => {
    const { httpUrl } = await serveNetwork();
    for (const path of ['/v3/demo', '/v3/demo/', '/v3/demo?trace=1', '/v3/demo/?x']) {
      const reply = await request(httpUrl + path, { body: call(7) });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('application/json');
      expect(reply.text).toBe('{"jsonrpc":"2.0","id":7,"result":["0x1",true]}');
    }
  });

  it('returns its cost, the account balance and its request id', async () => {
    const now_ms = (): number => Date.parse('2026-11-21T23:59:00Z');
    const { httpUrl } = await serveNetwork({
      plan: { creditsPerDay: 1_000, callsPerSecond: 25 },
      now_ms,
      monotonic_ms: () => 0,
    });
    const first = await request(`${httpUrl}/v3/demo`, { body: call() });
    expect(first.headers.get('x-credits-cost')).toBe('80');
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"credits";q=1000;w=86400, "calls";q=25;w=1',
    );
    expect(first.headers.get('ratelimit')).toBe('"credits";r=920;t=60, "calls";r=24;t=1');
    const second = await request(`${httpUrl}/v3/demo`, { body: `[${call(1)},${call(2)},{}]` });
    expect(second.headers.get('x-credits-cost')).toBe('160');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('of notifications is answered 204 without a body', async () => {
    const { httpUrl } = await serveNetwork();
    const body = '{"jsonrpc":"2.0","method":"eth_getBlock","params":["0x1",true]}';
    const reply = await request(`${httpUrl}/v3/demo`, { body });
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers.get('x-credits-cost')).toBe('0');
  });

  it('that fails has the HTTP status of its error and the request id in its data', async () => {
    const { httpUrl } = await serveNetwork();
    const reply = await request(`${httpUrl}/v3/demo`, { body: '{"jsonrpc":' });
    expect(reply).toMatchObject({ status: 400, error: { code: -32700 }, body: { id: null } });
    expect(reply.error!.data['requestId']).toBe(reply.headers.get('x-request-id'));
  });

  it('with a large result is complete', async () => {
    const result = Buffer.from(JSON.stringify('x'.repeat(3_000_000)));
    const { httpUrl } = await serveNetwork({ upstream: async () => ({ kind: 'result', result }) });
    const reply = await request(`${httpUrl}/v3/demo`, { body: call() });
    expect((reply.body as { result: string }).result).toHaveLength(3_000_000);
  });

  it('is abandoned, not canceled, when the caller disconnects', async () => {
    const abandoned = Promise.withResolvers<boolean>();
    const started = Promise.withResolvers<void>();
    const { listener } = await serveNetwork({
      upstream: (call, signal) =>
        new Promise((resolve) => {
          started.resolve();
          call.abandoned?.addEventListener('abort', () => {
            abandoned.resolve(signal.aborted);
            resolve({ kind: 'failure', cause: 'aborted', detail: '' });
          });
        }),
    });
    const socket = createConnection(listener.port, '127.0.0.1');
    socket.write(post(call()));
    await started.promise;
    // Only a reset says that a caller has left; a FIN says that it has sent all it will send.
    socket.resetAndDestroy();
    expect(await abandoned.promise).toBe(false);
  });

  it('above the rate limit is 429 with Retry-After', async () => {
    const { httpUrl } = await serveNetwork({ plan: { callsPerSecond: 1 } });
    await request(`${httpUrl}/v3/demo`, { body: call() });
    const reply = await request(`${httpUrl}/v3/demo`, { body: call(2) });
    expect(reply).toMatchObject({ status: 429, error: { code: -32005 }, body: { id: 2 } });
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.error!.data['retryAfterMs']).toBeGreaterThan(0);
  });
});

describe('a key', () => {
  const refused: [path: string, reason: GatewayReason][] = [
    ['/v3', 'key_missing'],
    ['/v3/', 'key_missing'],
    ['/v3/no-such-key-0123456789', 'key_unknown'],
    ['/v3/short', 'key_malformed'],
    ['/v3/%00', 'key_malformed'],
    [`/v3/${'a'.repeat(3_000)}`, 'key_malformed'],
  ];

  it.each(refused)('in %s is refused with 401: %s', async (path, reason) => {
    const { httpUrl } = await serveNetwork();
    const reply = await request(httpUrl + path, { body: call(9) });
    expect(reply).toMatchObject({
      status: 401,
      error: { code: 401, data: { reason } },
      body: { jsonrpc: '2.0', id: 9 },
    });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    const batch = await request(httpUrl + path, { body: `[${call(1)},${call(2)}]` });
    expect(batch).toMatchObject({ status: 401, body: [{ id: null, error: { code: 401 } }] });
  });

  it('that expired or was revoked is refused with 401 and the reason', async () => {
    const expired = await serveNetwork({ key: { expiresAt_ms: 1 } });
    expect(
      (await request(`${expired.httpUrl}/v3/demo`, { body: call() })).error!.data,
    ).toMatchObject({
      reason: 'key_expired',
    });
    const network = await serveNetwork();
    network.changeKey({ revokedAt_ms: 1 });
    expect(await request(`${network.httpUrl}/v3/demo`, { body: call() })).toMatchObject({
      status: 401,
      error: { data: { reason: 'key_revoked' } },
    });
  });

  it('restricted to other networks or origins is refused with 403', async () => {
    const network = await serveNetwork({ key: { allow: { networks: ['solana'] } } });
    expect(await request(`${network.httpUrl}/v3/demo`, { body: call() })).toMatchObject({
      status: 403,
      error: { code: 403, data: { reason: 'network_not_allowed', network: 'evm' } },
    });
    const origin = await serveNetwork({ key: { allow: { origins: ['https://a.example'] } } });
    const from = async (value: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', origin: value };
      return (await request(`${origin.httpUrl}/v3/demo`, { body: call(), headers })).status;
    };
    expect(await from('https://a.example')).toBe(200);
    expect(await from('https://b.example')).toBe(403);
    expect((await request(`${origin.httpUrl}/v3/demo`, { body: call() })).status).toBe(403);
  });
});
