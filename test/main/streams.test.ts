import { once } from 'node:events';
import { request as open, type IncomingMessage } from 'node:http';
import { connect as dial } from 'node:net';
import { describe, expect, it } from 'vitest';
import { call, connect, request } from '../transport/support.ts';
import { eventually } from '../transport/eventually.ts';
import { startFakeNode, type Behavior } from '../upstream/fake-node.ts';
import { resultOf, send } from '../upstream/stream-support.ts';
import { configFor, start, type TestGateway, ignoreLostLeases } from './support.ts';

/** Longer than a test may take. */
const PATIENCE_MS = 600_000;
const MEGABYTES = 3_000_000;
/** Patient with nodes that share their thread with the test. */
const quick = { probe_interval_ms: 100, probe_ms: 5_000, lease_tick_ms: 20 };

/** The answer to a call, its body not yet read. */
async function begin(gateway: TestGateway, body = call('"odd" id')): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json' };
  const asked = open(gateway.rpcUrl, { method: 'POST', headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function used(gateway: TestGateway): Promise<number> {
  const { body } = await request(`${gateway.rpcUrl}/usage`, { method: 'GET' });
  return (body as { used: number }).used;
}

async function metricsOf(gateway: TestGateway): Promise<string> {
  return (await fetch(new URL('metrics', gateway.ops))).text();
}

function counted(outcome: string, count: number): string {
  return `specgate_calls_total{network="evm",method="eth_getBlock",outcome="${outcome}"} ${count}`;
}

const EXPIRED_LEASES_CLOSED = /operation="closeExpiredLeases",outcome="ok"\} (\d+)$/m;
const OPEN_CONNECTIONS = /^specgate_connections\{[^}]*transport="http"\} (\d+)$/m;

/** The number that `pattern` captures from the metrics; 0 where it does not match. */
async function readMetric(gateway: TestGateway, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await metricsOf(gateway))?.[1] ?? 0);
}

/** Sends an endless result until the connection is closed, then calls `onClose`. */
function endless(onClose: () => void = () => undefined): Behavior {
  return async ({ id, method }, response) => {
    if (method !== 'eth_getBlock') return undefined;
    response.once('close', onClose);
    response.write(`{"id":${id},"result":["x"`);
    while (!response.destroyed) await send(response, `,"${'x'.repeat(65_000)}"`);
    return undefined;
  };
}

describe('a large result', () => {
  it('is streamed byte for byte, with the price and the remaining credits in its headers', async () => {
    const result = resultOf(MEGABYTES);
    const node = await startFakeNode(() => result);
    const gateway = await start(await configFor([node.url], { limits: quick }));
    const response = await begin(gateway);
    expect(response.headers).toMatchObject({
      'transfer-encoding': 'chunked',
      'content-type': 'application/json',
      'x-credits-cost': '80',
      'ratelimit-policy': '"credits";q=10000;w=86400, "calls";q=25;w=1',
      'x-request-id': expect.stringMatching(/^test/) as string,
      'access-control-allow-origin': '*',
    });
    expect(response.headers['ratelimit']).toMatch(/^"credits";r=9920;/);
    const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
    expect(text).toBe(`{"jsonrpc":"2.0","id":"\\"odd\\" id","result":${result}}`);
    await eventually(() => used(gateway)).toBe(80);
    await eventually(() => metricsOf(gateway)).toContain(counted('ok', 1));
  });

  it('is collected for HTTP/1.0 clients, which could not detect a cut', async () => {
    const node = await startFakeNode(() => resultOf(MEGABYTES));
    const gateway = await start(await configFor([node.url], { limits: quick }));
    const { hostname, port, pathname } = new URL(gateway.rpcUrl);
    const socket = dial(Number(port), hostname);
    const type = 'Content-Type: application/json';
    const length = `Content-Length: ${call().length}`;
    socket.write(`POST ${pathname} HTTP/1.0\r\n${type}\r\n${length}\r\n\r\n${call()}`);
    const answer = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(body)}$`, 'im'));
    expect(JSON.parse(body)).toHaveProperty('result');
  });

  it('is collected in a batch or over WebSocket', async () => {
    const result = resultOf(MEGABYTES);
    const node = await startFakeNode(() => result);
    const gateway = await start(await configFor([node.url], { limits: quick }));
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
    const batch = await request(gateway.rpcUrl, { body: `[${call(1)},${call(2)}]`, headers });
    expect(batch.headers.get('content-length')).toBe(String(Buffer.byteLength(batch.text)));
    expect(batch.text.split(result)).toHaveLength(3);
    const client = await connect(gateway.wsUrl);
    client.socket.send(call(3));
    expect(await client.next()).toMatchObject({ id: 3, result: JSON.parse(result) as unknown });
  });

  it('may be as large as the configured limit', async () => {
    const node = await startFakeNode(() => resultOf(MEGABYTES));
    const limits = { ...quick, stream_bytes: 2_000_000, response_bytes: 1_500_000 };
    const gateway = await start(await configFor([node.url], { limits }));
    const refused = await request(gateway.rpcUrl, { body: call() });
    expect(refused).toMatchObject({
      status: 200,
      error: { code: -32003, data: { reason: 'response_too_large', limitBytes: 2_000_000 } },
    });
    expect(refused.headers.get('x-credits-cost')).toBe('80');
    const batch = await request(gateway.rpcUrl, { body: `[${call()}]` });
    expect(batch.error).toMatchObject({ code: -32003, data: { limitBytes: 1_500_000 } });
    // Without a length the limit is noticed on the way.
    node.behave(endless());
    await expect((await begin(gateway)).toArray()).rejects.toThrow('aborted');
    expect(await used(gateway)).toBe(160);
  });

  it('that ends early is cut, not retried, counted, and not charged', async () => {
    const [node, other] = [await startFakeNode(), await startFakeNode(() => '"good"')];
    const config = await configFor([node.url, other.url], { limits: quick });
    const [network] = config.networks;
    const upstreams = network!.upstreams.map((each, tier) => ({ ...each, tier: tier + 1 }));
    const gateway = await start({ ...config, networks: [{ ...network!, upstreams }] });
    node.behave(async ({ id, method }, response) => {
      if (method !== 'eth_getBlock') return undefined;
      await send(response, `{"id":${id},"result":["${'x'.repeat(MEGABYTES)}"`);
      response.destroy();
      return undefined;
    });
    const response = await begin(gateway);
    await expect(response.toArray()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    await eventually(() => metricsOf(gateway)).toContain(counted('stream_cut', 1));
    expect(await metricsOf(gateway)).toMatch(
      /^specgate_streams_total\{network="evm",upstream="upstream-1",end="(?!whole)\w+"\} 1$/m,
    );
    expect(gateway.log.join('\n')).toContain('streamed result ended early');
    expect(await used(gateway)).toBe(0);
    expect(other.requests).toHaveLength(0);
  });

  it('is charged in full when the caller disconnects, and its upstream connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const node = await startFakeNode(endless(closed.resolve));
    const gateway = await start(await configFor([node.url], { limits: quick }));
    const response = await begin(gateway);
    await once(response, 'data');
    response.destroy();
    await closed.promise;
    await eventually(() => metricsOf(gateway)).toContain(counted('caller_left', 1));
    expect(await used(gateway)).toBe(80);
  });

  it('that outlives the lease it is paid from is still counted once', async () => {
    const leaseEnd = Promise.withResolvers<void>();
    const node = await startFakeNode();
    const limits = { ...quick, lease_ttl_ms: 100 };
    const config = await configFor([node.url], { limits });
    const gateway = await start(config);
    node.behave(async ({ id, method }, response) => {
      if (method !== 'eth_getBlock') return undefined;
      await send(response, `{"id":${id},"result":["${'x'.repeat(MEGABYTES)}"`);
      await leaseEnd.promise;
      response.end(']}');
      return undefined;
    });
    const response = await begin(gateway);
    // Expired leases are looked for at most twice within the life of one.
    const begun = await readMetric(gateway, EXPIRED_LEASES_CLOSED);
    await eventually(() => readMetric(gateway, EXPIRED_LEASES_CLOSED)).toBeGreaterThan(begun + 4);
    leaseEnd.resolve();
    await response.toArray();
    await eventually(() => used(gateway)).toBe(80);
    await gateway.stop().catch(ignoreLostLeases);
    expect(await used(await start(config))).toBe(80);
  });
});

describe('slow clients', () => {
  it('cannot exceed the streams of an upstream: further results are collected', async () => {
    const node = await startFakeNode(endless());
    const limits = { ...quick, upstream_streams: 2, response_bytes: 4_000_000 };
    const gateway = await start(await configFor([node.url], { limits }));
    const slow = [await begin(gateway), await begin(gateway)];
    const refused = await request(gateway.rpcUrl, { body: call() });
    expect(refused.error).toMatchObject({
      data: { reason: 'too_many_calls_in_flight', scope: 'account' },
    });
    // The node has done the work.
    expect(refused.headers.get('x-credits-cost')).toBe('80');
    node.behave(({ method }) => (method === 'eth_getBlock' ? resultOf(MEGABYTES) : undefined));
    const whole = await begin(gateway);
    expect(whole.headers['content-length']).toBeDefined();
    await whole.toArray();
    for (const response of slow) response.destroy();
    await eventually(async () => {
      const next = await begin(gateway);
      await next.toArray();
      return next.headers['transfer-encoding'];
    }).toBe('chunked');
  });

  it('are cut when they read nothing for too long, with streamed and collected results', async () => {
    const node = await startFakeNode(({ method }) =>
      method === 'eth_getBlock' ? resultOf(20_000_000) : undefined,
    );
    const limits = { ...quick, stream_idle_ms: 1_000 };
    const gateway = await start(await configFor([node.url], { limits }));
    const stream = (await begin(gateway)).pause();
    await eventually(() => metricsOf(gateway)).toContain(counted('caller_left', 1));
    await expect(stream.toArray()).rejects.toThrow('aborted');
    const whole = (await begin(gateway, `[${call()}]`)).pause();
    await eventually(() => readMetric(gateway, OPEN_CONNECTIONS)).toBe(0);
    await expect(whole.toArray()).rejects.toThrow('aborted');
    // A node has answered both.
    await eventually(() => used(gateway)).toBe(160);
  });
});

describe('a gateway that stops', () => {
  it('waits for streams in progress', async () => {
    const rest = Promise.withResolvers<void>();
    const node = await startFakeNode(async ({ id, method }, response) => {
      if (method !== 'eth_getBlock') return undefined;
      await send(response, `{"id":${id},"result":["${'x'.repeat(MEGABYTES)}"`);
      await rest.promise;
      response.end(']}');
      return undefined;
    });
    // A connection that is kept alive, if it were waited for, would be so beyond the test's end.
    const limits = { ...quick, http_keep_alive_ms: PATIENCE_MS, drain_ms: PATIENCE_MS };
    const config = await configFor([node.url], { limits });
    const gateway = await start(config);
    const response = await begin(gateway);
    const stopped = gateway.stop();
    await eventually(() => gateway.ready()).toBe(503);
    rest.resolve();
    expect(Buffer.concat((await response.toArray()) as Buffer[])).toHaveLength(
      MEGABYTES + '{"jsonrpc":"2.0","id":"\\"odd\\" id","result":[""]}'.length,
    );
    await stopped;
    expect(await used(await start(config))).toBe(80);
  });

  it('cuts those that take too long, without charging them', async () => {
    const node = await startFakeNode(endless());
    const config = await configFor([node.url], { limits: { ...quick, drain_ms: 200 } });
    const gateway = await start(config);
    const reading = (await begin(gateway)).toArray();
    await Promise.all([
      expect(gateway.stop()).rejects.toThrow('calls cut at the end of drain_ms (200 ms): 1'),
      expect(reading).rejects.toThrow('aborted'),
    ]);
    node.behave(() => undefined);
    expect(await used(await start(config))).toBe(0);
  });
});
