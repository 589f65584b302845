import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { defaultLimits } from '../../src/config/limits.ts';
import { startMock } from '../../src/main/mock.ts';
import { startProxy, type RunningProxy } from '../../src/main/proxy.ts';
import type { DescribedServer } from '../../src/main/described-server.ts';
import { documentOf, methodOf, modelOf } from '../generator/support/document.ts';
import { call, httpWire, post, webSocketWire } from '../support/wire.ts';

const address = { host: '127.0.0.1', port: 0 };
const onError = (error: unknown): void => expect.unreachable(String(error));
/** The actual document of the server, and the one its callers get. */
const kept = documentOf([
  methodOf('list', { type: 'string' }, { const: 18 }),
  methodOf('more', {}),
]);
const published = documentOf([methodOf('list', { type: 'string' }, { const: 'eighteen' })]);

let server: DescribedServer;
beforeAll(async () => {
  const service = describeService(await modelOf(kept));
  server = await startMock(service, { address, seed: 's', latency_ms: 0 }, onError);
});
afterAll(() => server.stop());

describe.each(['http', 'ws'] as const)('a proxy in front of a server spoken to by %s', (scheme) => {
  let proxy: RunningProxy;
  const seen: string[] = [];
  beforeAll(async () => {
    const service = describeService(await modelOf(published));
    const upstream = new URL(server[scheme]);
    const settings = { address, upstream, headers: { 'x-mock-latency': '1' }, fails: false };
    const onViolation = ({ method, side }: { method: string | null; side: string }): void =>
      void seen.push(`${method} ${side}`);
    proxy = await startProxy(service, settings, { onViolation, onError });
  });
  afterAll(() => proxy.stop());

  it('forwards calls over HTTP and WebSocket and reports violations', async () => {
    const wires = [httpWire(proxy.http), await webSocketWire(proxy.ws)];
    for (const wire of wires) {
      expect(await call(wire, 'list', ['a'])).toMatchObject({ result: 18 });
      expect(await call(wire, 'list', [1])).toMatchObject({ error: { code: -32602 } });
      expect(await call(wire, 'more', [1])).toHaveProperty('result');
      await wire.close();
    }
    await post(proxy.http, '{"nonsense"');
    // The wire marks the end of an answer by a call of its own.
    const { violations } = proxy.log.report();
    expect(violations.filter(({ method }) => method !== 'no_such_method')).toMatchObject([
      { method: null, side: 'request', keyword: 'parse_error', count: 1 },
      { method: 'list', side: 'request', pointer: '/0', keyword: 'type', count: 2 },
      { method: 'list', side: 'response', pointer: '', keyword: 'const', count: 2 },
      { method: 'more', side: 'request', keyword: 'method', count: 2 },
    ]);
    expect(seen.filter((each) => each === 'list response')).toHaveLength(1);
  });

  it('forwards notifications and checks them', async () => {
    const before = proxy.log.report().calls;
    await post(proxy.http, '{"jsonrpc":"2.0","method":"list","params":["a"]}');
    await expect.poll(() => proxy.log.report().calls).toBe(before + 1);
  });
});

it('a proxy refuses calls of web pages, except those of this machine and of allowed origins', async () => {
  const service = describeService(await modelOf(kept));
  const settings = {
    address,
    upstream: new URL(server.http),
    headers: {},
    origins: ['https://app.example.org'],
    fails: false,
  };
  const proxy = await startProxy(service, settings, { onViolation: () => undefined, onError });
  const statusOf = async (origin: string): Promise<number> => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"list","params":["a"]}';
    const headers = { 'content-type': 'application/json', origin };
    return (await fetch(proxy.http, { method: 'POST', headers, body })).status;
  };
  const opens = async (origin: string): Promise<boolean> => {
    const socket = new WebSocket(proxy.ws, { origin });
    const [event] = await Promise.race([
      once(socket, 'open').then(() => ['open']),
      once(socket, 'unexpected-response').then(() => ['refused']),
    ]);
    socket.once('error', () => undefined).terminate();
    return event === 'open';
  };
  const refused = ['https://evil.example', 'https://localhost.evil.example', 'null'];
  const local = [
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:80',
    'http://a.localhost',
  ];
  for (const origin of [...refused, 'http://127.0.0.1.evil.example', 'http://127.example']) {
    expect([origin, await statusOf(origin), await opens(origin)]).toEqual([origin, 403, false]);
  }
  for (const origin of [...local, 'https://app.example.org']) {
    expect([origin, await statusOf(origin), await opens(origin)]).toEqual([origin, 200, true]);
  }
  expect(proxy.log.report().calls).toBe(5);
  await proxy.stop();
});

it('a proxy forwards no notifications while too many bytes of earlier ones are pending', async () => {
  const silent = createServer((request) => void request.resume());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const upstream = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const service = describeService(await modelOf(kept));
  const seen: string[] = [];
  const onViolation = ({ message }: { message: string }): void => void seen.push(message);
  const settings = { address, upstream, headers: {}, fails: false };
  const limits = { ...defaultLimits, unsent_account_bytes: 4_000_000 };
  const proxy = await startProxy(service, settings, { onViolation, onError, limits });
  const params = ['a'.repeat(1_000_000)];
  const text = JSON.stringify({ jsonrpc: '2.0', method: 'list', params });
  for (let sent = 0; sent < 5; sent += 1) await post(proxy.http, text);
  expect(new Set(seen)).toEqual(
    new Set(['too many bytes of pending notifications; not forwarded']),
  );
  silent.closeAllConnections();
  silent.close();
  await proxy.stop();
});

describe('the verbs mock and proxy', () => {
  it('exits with 1 and a report after violations, with 0 otherwise', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'specgate-proxy-'));
    const spec = join(folder, 'published.json');
    const report = join(folder, 'report.json');
    await writeFile(spec, JSON.stringify(published));
    const run = async (method: string): Promise<number | null> => {
      const args = ['bin/specgate.js', 'proxy', '--spec', spec, '--upstream', server.http];
      const rest = ['--port', '0', '--report', report, '--format', 'json'];
      const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
      const child = spawn(process.execPath, [...args, ...rest], { stdio });
      const ended = once(child, 'exit') as Promise<[number | null]>;
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      const { http } = JSON.parse(line) as { http: string };
      await post(http, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }));
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    };
    expect(await run('list')).toBe(1);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({
      calls: 1,
      violations: [{ method: 'list', side: 'request' }],
    });
    expect(await run('rpc.discover')).toBe(0);
    await rm(folder, { recursive: true });
  });

  it.each([
    [['mock', 'nope.json'], /nope\.json: file not found/],
    [['mock', '--port', '99999'], /--port.*65535/],
    [['proxy', '--spec', 'openrpc.json', '--upstream', 'ftp://x'], /http, https, ws or wss/],
    [['proxy', '--upstream', 'http://127.0.0.1:1'], /--spec/],
  ])('%j is refused in one line', async (args, line) => {
    const running = promisify(execFile)(process.execPath, ['bin/specgate.js', ...args]);
    await expect(running).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(line) });
    await running.catch(({ stderr }: { stderr: string }) =>
      expect(stderr.trim().split('\n')).toHaveLength(1),
    );
  });
});
