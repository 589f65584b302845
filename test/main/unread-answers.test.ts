import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultLimits } from '../../src/config/limits.ts';
import type { Config } from '../../src/config/schema.ts';
import { protocol } from '../gateway/support/protocol.ts';
import { eventually } from '../transport/eventually.ts';
import { call, connect, post, request } from '../transport/support.ts';
import { startFakeNode } from '../upstream/fake-node.ts';
import { resultOf } from '../upstream/stream-support.ts';
import { configFor, KEY, start, type TestGateway } from './support.ts';

const quick = {
  probe_interval_ms: 100,
  probe_ms: 5_000,
  lease_tick_ms: 20,
  stream_idle_ms: 300_000,
  // Large results take long on a busy machine.
  attempt_ms: 300_000,
  call_deadline_ms: 300_000,
};
/** More than the sockets of the system take. */
const RESULT_BYTES = 12_000_000;
const OTHER_KEY = 'sg-other-key-of-the-tests-0123';
const CREDITS = 80;

/** A document of the size of the real one. */
const document = JSON.stringify({ ...JSON.parse(protocol.document), padding: 'x'.repeat(250_000) });
const discover = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'rpc.discover', params: [] });

/** A gateway with two accounts, before a node whose results are large. */
async function startLarge(limits: Config['limits']): Promise<TestGateway> {
  const result = resultOf(RESULT_BYTES);
  const node = await startFakeNode(({ method }) =>
    method === 'eth_getBlock' ? result : undefined,
  );
  const config = await configFor([node.url], { limits: { ...quick, ...limits } });
  const other = { id: 'other', plan: 'free', keys: [{ key: OTHER_KEY, allow: {} }] };
  return start(
    { ...config, accounts: [...config.accounts, other] },
    { protocol: { ...protocol, document } },
  );
}

/** A connection that sends `sent` and does not read. */
async function unreading({ rpcUrl }: TestGateway, sent: string): Promise<Socket> {
  const socket = dial(Number(new URL(rpcUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(sent);
  return socket;
}

async function metricsOf(gateway: TestGateway): Promise<string> {
  return (await fetch(new URL('metrics', gateway.ops))).text();
}

async function gauge(gateway: TestGateway, name: string): Promise<number> {
  const line = (await metricsOf(gateway)).split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

const unsentOf = (gateway: TestGateway, holder: string): Promise<number> =>
  gauge(gateway, `specgate_unsent_bytes{holder="${holder}"}`);
const cutsOf = (gateway: TestGateway, cause: string): Promise<number> =>
  gauge(gateway, `specgate_connections_cut_total{network="evm",cause="${cause}"}`);

async function usedBy(gateway: TestGateway, key: string): Promise<number> {
  const url = gateway.rpcUrl.replace(KEY, `${key}/usage`);
  return ((await request(url, { method: 'GET' })).body as { used: number }).used;
}

/** Of a batch, so that its answer is whole; a single one would be a stream. */
const batch = (key = KEY): string => post(`[${call()}]`, key);

it('reports the bytes that calls in progress hold', async () => {
  const gateway = await startLarge({});
  const held = (): Promise<number> => gauge(gateway, 'specgate_calls_held_bytes');
  const socket = await unreading(gateway, batch().slice(0, -10));
  await expect.poll(held).toBe(Buffer.byteLength(`[${call()}]`) - 10);
  socket.destroy();
  await expect.poll(held).toBe(0);
});

describe('callers without a key that read nothing', () => {
  it('hold a small share, and cost no account its answer', async () => {
    // Less than the 3 requests of one connection count for.
    const share = 40_000;
    const { unsent_account_bytes, unsent_connection_bytes } = defaultLimits;
    const gateway = await startLarge({
      unsent_anonymous_bytes: share,
      unsent_account_bytes,
      unsent_connection_bytes,
      unsent_bytes: RESULT_BYTES + share,
    });
    const tenant = await unreading(gateway, batch());
    await eventually(() => unsentOf(gateway, 'accounts')).toBeGreaterThan(RESULT_BYTES / 4);
    const get = 'GET /v3/openrpc.json HTTP/1.1\r\nhost: a\r\n\r\n';
    const wrong = post('{}', 'no-such-key-0123456789');
    const options = 'OPTIONS /v3/x HTTP/1.1\r\nhost: a\r\n\r\n';
    const anonymous = [get, wrong, options].flatMap((each) =>
      Array.from({ length: 10 }, () => unreading(gateway, each.repeat(3))),
    );
    await Promise.all(anonymous);
    await eventually(() => cutsOf(gateway, 'caller_limit')).toBeGreaterThan(0);
    expect(await unsentOf(gateway, 'anonymous')).toBeLessThanOrEqual(share);
    expect(await cutsOf(gateway, 'total_limit')).toBe(0);
    let received = 0;
    tenant.on('data', (data: Buffer) => (received += data.length)).resume();
    await eventually(() => received).toBeGreaterThan(RESULT_BYTES);
    await eventually(() => usedBy(gateway, KEY)).toBe(CREDITS);
    await eventually(() => unsentOf(gateway, 'accounts')).toBe(0);
  });
});

describe('an account that reads nothing', () => {
  it('loses its own answers, not those of another account that holds less', async () => {
    const { unsent_account_bytes, unsent_connection_bytes } = defaultLimits;
    const shares = { unsent_account_bytes, unsent_connection_bytes };
    const gateway = await startLarge({ unsent_bytes: 3.5 * RESULT_BYTES, ...shares });
    const quiet = await unreading(gateway, batch(OTHER_KEY));
    await eventually(() => unsentOf(gateway, 'accounts')).toBeGreaterThan(RESULT_BYTES / 4);
    const busy = await connect(gateway.wsUrl);
    busy.socket.pause();
    for (let id = 0; id < 8; id += 1) busy.socket.send(call(id));
    await eventually(() => cutsOf(gateway, 'total_limit')).toBe(1);
    busy.socket.resume();
    expect((await busy.closed)[0]).toBe(1006);
    // What we cut off for others is not charged.
    const answered = new RegExp(
      '^specgate_calls_total\\{network="evm",method="eth_getBlock",outcome="response_cut"\\} [1-9]',
      'm',
    );
    await eventually(() => metricsOf(gateway)).toMatch(answered);
    expect(busy.messages).toEqual([]);
    expect(await usedBy(gateway, KEY)).toBe(0);
    let received = 0;
    quiet.on('data', (data: Buffer) => (received += data.length)).resume();
    await eventually(() => received).toBeGreaterThan(RESULT_BYTES);
    await eventually(() => usedBy(gateway, OTHER_KEY)).toBe(CREDITS);
  });

  it('holds nothing of a document that all callers share', async () => {
    const gateway = await startLarge({ unsent_account_bytes: 4_000_000 });
    const { wsUrl } = gateway;
    const reader = await connect(wsUrl);
    reader.socket.pause();
    // 15 MB, were it counted for each request; by the rate of the plan.
    for (let id = 0; id < 20; id += 1) reader.socket.send(discover(id));
    await unreading(gateway, post(discover(0)).repeat(5));
    await eventually(() => unsentOf(gateway, 'accounts')).toBeGreaterThan(0);
    expect(await unsentOf(gateway, 'accounts')).toBeLessThan(1_000_000);
    reader.socket.resume();
    await eventually(() => reader.messages.length).toBe(20);
    for (const message of reader.messages) {
      expect((message as { result: object }).result).toHaveProperty('openrpc');
    }
    expect(await cutsOf(gateway, 'caller_limit')).toBe(0);
  });
});

describe('a batch of calls for the document', () => {
  it('is answered with it once: an answer of its size is not multiplied for free', async () => {
    const gateway = await startLarge({});
    const reply = await request(gateway.rpcUrl, {
      body: `[${discover(1)},${discover(2)},${call(3).replace('eth_getBlock', 'eth_none')},${discover(4)}]`,
    });
    const answers = reply.body as { id: number; result?: object; error?: { code: number } }[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [2, -32600],
      [3, -32601],
      [4, -32600],
    ]);
    expect(answers[0]!.result).toHaveProperty('openrpc');
    expect(answers[1]!.error).toMatchObject({
      data: {
        reason: 'invalid_request',
        detail:
          'expected rpc.discover at most once per batch, got it again; reuse its first response',
      },
    });
    expect(reply.text.length).toBeLessThan(2 * document.length);
    expect(reply.headers.get('x-credits-cost')).toBe('0');
  });
});

describe('an API key sent as the id of a request', () => {
  it('is neither logged nor sent back, also under another path and as a part of the id', async () => {
    const gateway = await startLarge({});
    for (const id of [OTHER_KEY, `trace:${OTHER_KEY}`, `${OTHER_KEY}.1`]) {
      for (const path of ['', `/v3/${KEY}`, '/v3/openrpc.json', `/v3/${KEY}/usage`]) {
        const headers = { 'content-type': 'application/json', 'x-request-id': id };
        const method = /json|usage/.test(path) ? 'GET' : 'POST';
        const body = method === 'GET' ? null : '{}';
        const url = new URL(path, gateway.rpcUrl);
        const reply = await request(url.href, { method, headers, body });
        expect(reply.headers.get('x-request-id')).toMatch(/^test-\w+$/);
      }
    }
    const client = await connect(gateway.wsUrl, { 'x-request-id': OTHER_KEY });
    client.socket.send('{}');
    await client.next();
    expect(JSON.stringify([gateway.log, client.messages])).not.toContain(OTHER_KEY);
    const headers = { 'content-type': 'application/json', 'x-request-id': 'a-b_c:d.e' };
    const reply = await request(gateway.rpcUrl, { body: '{}', headers });
    expect(reply.headers.get('x-request-id')).toBe('a-b_c:d.e');
  });
});
