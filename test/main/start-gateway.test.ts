import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { setSuspended } from '../../src/admin/accounts.ts';
import { hashKey } from '../../src/auth/hash-key.ts';
import { defaultLimits } from '../../src/config/limits.ts';
import { startGateway } from '../../src/main/gateway.ts';
import { openStore } from '../../src/store/store.ts';
import { MessageTurns } from '../../src/time/message-turns.ts';
import { spentOn } from '../store/support.ts';
import { call, connect, request } from '../transport/support.ts';
import { startFakeNode } from '../upstream/fake-node.ts';
import { configFor, KEY, start, withoutCache } from './support.ts';
import { eventually } from '../transport/eventually.ts';

describe('the gateway', () => {
  it('answers a call from a node over HTTP and WebSocket, result bytes untouched', async () => {
    const result = '{ "u64" : 18446744073709551615 ,"a":1.0}';
    const node = await startFakeNode(() => result);
    const gateway = await start(await configFor([node.url]));
    await eventually(() => gateway.ready()).toBe(200);
    const reply = await request(gateway.rpcUrl, { body: call(1) });
    expect(reply.text).toBe(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
    const client = await connect(gateway.wsUrl);
    client.socket.send(call(2));
    expect(await client.next()).toMatchObject({ id: 2 });
  });

  it('counts credits exactly across restarts', async () => {
    const node = await startFakeNode(() => '1');
    const config = withoutCache(await configFor([node.url]));
    const first = await start(config);
    await Promise.all(
      Array.from({ length: 20 }, (_, id) => request(first.rpcUrl, { body: call(id) })),
    );
    await first.stop();
    const second = await start(config);
    const usage = await request(`${second.rpcUrl}/usage`, { method: 'GET' });
    expect(usage.body).toMatchObject({
      used: 1_600,
      remaining: 8_400,
      methods: { eth_getBlock: { calls: 20, credits: 1_600 } },
    });
    expect(node.requests).toHaveLength(20);
  });

  it('is not ready, and answers 503, while no node is healthy, and recovers without help', async () => {
    const node = await startFakeNode(() => '1');
    const gateway = await start(await configFor([node.url]));
    node.behave((_request, response) => void response.writeHead(500).end());
    await eventually(() => gateway.ready()).toBe(503);
    expect(await request(gateway.rpcUrl, { body: call() })).toMatchObject({
      status: 503,
      error: { code: -32603, data: { reason: 'no_upstream' } },
    });
    node.behave(() => '1');
    await eventually(() => gateway.ready()).toBe(200);
    expect((await request(gateway.rpcUrl, { body: call() })).status).toBe(200);
  });

  it('is not ready once the daily budgets of all upstreams of a network are spent', async () => {
    const node = await startFakeNode(() => '1');
    const config = await configFor([node.url]);
    // The first probes spend two of them.
    const budget = { callsPerDay: 3 };
    const networks = config.networks.map((each) => ({
      ...each,
      upstreams: each.upstreams.map((upstream) => ({ ...upstream, budget })),
    }));
    const gateway = await start({ ...config, networks });
    expect(await gateway.ready()).toBe(200);
    expect((await request(gateway.rpcUrl, { body: call() })).status).toBe(200);
    expect(await gateway.ready()).toBe(503);
    const report = await (await fetch(new URL('readyz', gateway.ops!))).json();
    expect(report).toMatchObject({ ready: false, networks: { evm: false } });
    const metrics = await (await fetch(new URL('metrics', gateway.ops!))).text();
    expect(metrics).toMatch(/^specgate_upstream_healthy\{.*\} 1$/m);
    expect((await request(gateway.rpcUrl, { body: call() })).status).toBe(503);
  });

  it('checks for changes of keys and accounts more than once per second', () => {
    expect(defaultLimits.key_refresh_ms).toBeLessThan(1_000);
  });

  it('closes open sockets of a key that another process revoked, and refuses its calls', async () => {
    const node = await startFakeNode(() => '1');
    const gateway = await start(await configFor([node.url]));
    const client = await connect(gateway.wsUrl);
    const administration = await openStore(gateway.config.store);
    onTestFinished(() => administration.close());
    const { keys } = await administration.readChanges(0);
    await administration.putKey({ ...keys[0]!, revokedAt_ms: 1 });
    expect(await client.next()).toMatchObject({ error: { data: { reason: 'key_revoked' } } });
    expect(await client.closed).toEqual([1008, 'key_revoked']);
    expect((await request(gateway.rpcUrl, { body: call() })).status).toBe(401);

    await gateway.stop();
    const again = await start(gateway.config);
    expect((await request(again.rpcUrl, { body: call() })).error!.data).toMatchObject({
      reason: 'key_revoked',
    });
  });

  it('closes open sockets of an account that was suspended, and refuses its calls', async () => {
    const node = await startFakeNode(() => '1');
    const gateway = await start(await configFor([node.url]));
    const client = await connect(gateway.wsUrl);
    const administration = await openStore(gateway.config.store);
    onTestFinished(() => administration.close());
    await setSuspended(administration, 'acme', true);
    expect(await client.next()).toMatchObject({
      error: { code: 401, data: { reason: 'account_suspended' } },
    });
    expect(await client.closed).toEqual([1008, 'account_suspended']);
    expect(await request(gateway.rpcUrl, { body: call(5) })).toMatchObject({
      status: 401,
      error: { data: { reason: 'account_suspended' } },
    });
    await setSuspended(administration, 'acme', false);
    await eventually(async () => (await request(gateway.rpcUrl, { body: call() })).status).toBe(
      200,
    );
  });

  it('never shows a key, in logs of any level, in metrics, in errors or in the store', async () => {
    const node = await startFakeNode(() => '1');
    const gateway = await start(await configFor([node.url]));
    await request(gateway.rpcUrl, { body: call() });
    await request(gateway.rpcUrl, { body: 'nonsense' });
    await request(gateway.rpcUrl, { method: 'DELETE' });
    await request(`${gateway.rpcUrl}x`, { body: call() });
    await request(`${gateway.rpcUrl}/usage`, { method: 'GET' });
    const client = await connect(gateway.wsUrl);
    client.socket.send(call());
    await client.next();
    node.behave((_request, response) => void response.destroy());
    const failed = await request(gateway.rpcUrl, { body: call() });
    expect(failed.status).toBe(503);
    const metrics = await (await fetch(new URL('metrics', gateway.ops))).text();
    expect(metrics).toContain(
      'specgate_calls_total{network="evm",method="eth_getBlock",outcome="ok"} 2',
    );
    const shown = `${gateway.log.join('\n')}${metrics}${failed.text}`;
    expect(shown).toContain(`key-${hashKey(KEY).slice(0, 12)}`);
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain('token=secret');
    const store = await openStore(gateway.config.store);
    onTestFinished(() => store.close());
    expect(JSON.stringify(await store.readChanges(0))).not.toContain(KEY);
  });

  it('applies the rate and credits of the account, or else of its plan', async () => {
    const node = await startFakeNode(() => '1');
    const accounts = [
      {
        id: 'acme',
        plan: 'custom',
        creditsPerDay: 100,
        callsPerSecond: 7,
        keys: [{ key: KEY, allow: {} }],
      },
    ];
    const gateway = await start(await configFor([node.url], { accounts }));
    const reply = await request(gateway.rpcUrl, { body: call() });
    expect(reply.headers.get('ratelimit-policy')).toBe('"credits";q=100;w=86400, "calls";q=7;w=1');
    expect((await request(gateway.rpcUrl, { body: call() })).status).toBe(402);
  });

  it('answers accepted calls before it stops, and is not ready meanwhile', async () => {
    const answer = Promise.withResolvers<string>();
    const node = await startFakeNode(() => '1');
    const gateway = await start(await configFor([node.url]));
    node.behave(() => answer.promise);
    const taken = request(gateway.rpcUrl, { body: call() });
    await eventually(() => node.requests.length).toBe(1);
    const stopped = gateway.stop();
    expect(await gateway.ready()).toBe(503);
    answer.resolve('"late"');
    expect((await taken).body).toMatchObject({ result: 'late' });
    await stopped;
    const store = await openStore(gateway.config.store);
    onTestFinished(() => store.close());
    const day = new Date().toISOString().slice(0, 10);
    expect(await spentOn(store, day)).toBe(80);
  });

  it('serves the documentation of a folder, wired to its networks', async () => {
    const node = await startFakeNode(() => '1');
    const folder = await mkdtemp(join(tmpdir(), 'specgate-docs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Docs</title>');
    const docs = { host: '127.0.0.1', port: 0, folder };
    const gateway = await start(await configFor([node.url], { docs }));
    const wait = vi.spyOn(MessageTurns.prototype, 'wait');
    onTestFinished(() => wait.mockRestore());
    const page = await fetch(gateway.docs!);
    expect(wait.mock.calls).toEqual([['docs port']]);
    const { http } = gateway.networks[0]!;
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${http} `);
    expect(await page.text()).toContain('<title>Docs</title>');
    const config = await fetch(new URL('config.json', gateway.docs));
    expect(await config.json()).toMatchObject({
      networks: [{ name: 'evm', family: 'evm', http: `${http}/v3/<API_KEY>` }],
      key: null,
    });
    const document = await fetch(new URL('openrpc.json', gateway.docs));
    expect(await document.json()).toMatchObject({ openrpc: '1.3.2' });
  });
});

describe('a gateway that cannot start', () => {
  it('names the port that is in use and how to set a different one, and leaves nothing open', async () => {
    const node = await startFakeNode(() => '1');
    const running = await start(await configFor([node.url]));
    const port = Number(new URL(running.rpcUrl).port);
    const config = await configFor([node.url]);
    const [network] = config.networks;
    const taken = [{ ...network!, listen: { host: '127.0.0.1', port } }];
    await expect(start({ ...config, networks: taken })).rejects.toMatchObject({
      name: 'StartError',
      message: `127.0.0.1:${port} is already in use; set PORT_OF_evm to another port, or to 0 for any free port`,
    });
    await running.stop();
    expect(
      (await request((await start({ ...config, networks: taken })).rpcUrl, { body: call() }))
        .status,
    ).toBe(200);
  });

  it('names the store it cannot open', async () => {
    const node = await startFakeNode(() => '1');
    const config = await configFor([node.url]);
    const store = '/dev/null/specgate.sqlite';
    await expect(start({ ...config, store })).rejects.toThrow(
      /^cannot open the store \/dev\/null.*check/,
    );
  });

  it('refuses an error catalog without the errors it needs', async () => {
    const node = await startFakeNode(() => '1');
    const { protocol } = await import('../gateway/support/protocol.ts');
    const { InvalidParams: _, ...errors } = protocol.errors;
    const gateway = startGateway(
      { config: await configFor([node.url]), keyPairs: {} },
      {
        protocol: { ...protocol, errors },
        logger: { isLevelEnabled: () => false, info() {}, warn() {} } as never,
        clock: { now_ms: Date.now, monotonic_ms: performance.now.bind(performance) },
        instance: 'test',
        portSetting: String,
      },
    );
    await expect(gateway).rejects.toThrow('no row for invalid_params');
  });
});
