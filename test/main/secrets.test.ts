import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Violation } from '../../common/validators-runtime/violations.js';
import type { Config } from '../../src/config/schema.ts';
import type { Protocol } from '../../src/gateway/protocol.ts';
import { startGateway, type Gateway } from '../../src/main/gateway.ts';
import { openStore } from '../../src/store/store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import { protocol } from '../gateway/support/protocol.ts';
import { startFlakyLink } from '../support/flaky-link.ts';
import { createDatabase } from '../support/shared-postgres.ts';
import { eventually } from '../transport/eventually.ts';
import { call, request } from '../transport/support.ts';
import { startFakeNode, type Behavior, type NodeRequest } from '../upstream/fake-node.ts';
import { probeAnswer } from '../upstream/probe-answer.ts';
import { mishaps } from './malformed-requests.ts';
import { configFor, KEY, ignoreLostLeases } from './support.ts';

/** What an operator and a caller trust the gateway with. */
const secrets = {
  key: KEY,
  urlPath: 'upstream-path-secret-0123456789',
  urlQuery: 'upstream-query-secret-0123456789',
  urlPassword: 'upstream-password-0123',
  header: 'upstream-header-secret-0123456789',
  storePassword: 'postgres-password-0123',
};
const basic = Buffer.from(`user:${secrets.urlPassword}`).toString('base64');
const all = [...Object.values(secrets), basic];
/** Those that an upstream is sent, and may return. */
const sent = [secrets.urlPath, secrets.urlQuery, secrets.urlPassword, secrets.header, basic];

interface Rig {
  readonly gateway: Gateway;
  readonly rpcUrl: string;
  readonly port: number;
  /** Returns all output but responses: logs at trace, metrics, spans. */
  output(): Promise<string>;
}

/** A gateway whose every log line is kept, at the most talkative level there is. */
async function serve(config: Config, service: Protocol = protocol): Promise<Rig> {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  onTestFinished(() => trace.disable());
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (line: Buffer) => lines.push(String(line)));
  const gateway = await startGateway(
    { config, keyPairs: {} },
    {
      protocol: service,
      logger: pino({ level: 'trace', base: null }, sink),
      clock: systemClock,
      instance: 'test',
      tracing: openTracing('3.0.0'),
      portSetting: (listener) => `PORT_OF_${listener}`,
    },
  );
  onTestFinished(() => gateway.stop().catch(ignoreLostLeases));
  const { http } = gateway.networks[0]!;
  return {
    gateway,
    rpcUrl: `${http}/v3/${KEY}`,
    port: Number(new URL(http).port),
    async output() {
      const metrics = await (await fetch(new URL('metrics', gateway.ops))).text();
      const spans = exporter
        .getFinishedSpans()
        .map(({ name, attributes, links, events }) => ({ name, attributes, links, events }));
      return [...lines, metrics, JSON.stringify(spans), process.title].join('\n');
    },
  };
}

/** A secret address of an upstream, and the secret headers sent to it. */
function secretive(config: Config, url: URL): Config {
  const secret = new URL(url);
  secret.username = 'user';
  secret.password = secrets.urlPassword;
  secret.pathname = `/v2/${secrets.urlPath}`;
  secret.search = `?apikey=${secrets.urlQuery}`;
  const headers = { 'x-secret': secrets.header };
  const [network] = config.networks;
  const upstreams = [{ ...network!.upstreams[0]!, url: secret.href, headers }];
  return { ...config, networks: [{ ...network!, upstreams }] };
}

/** Sends bytes as they are, and no more; what comes back until the connection is closed. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => undefined).end(bytes);
  return text(socket).catch(() => '');
}

describe('secrets', () => {
  it('never appear in any output, however a request fails', async () => {
    const node = await startFakeNode(() => '1');
    const seen: string[] = [];
    node.behave((asked, response) => {
      seen.push(JSON.stringify([response.req.rawHeaders, response.req.url, asked.text]));
      return probeAnswer(asked) ?? '1';
    });
    const { rpcUrl, port, output } = await serve(await configFor([node.url]));
    const answers: string[] = [];
    for (const bytes of Object.values(mishaps)) answers.push(await raw(port, bytes));
    for (const body of [
      KEY,
      `["${KEY}"]`,
      `{"jsonrpc":"${KEY}","id":1,"method":"x"}`,
      `{"jsonrpc":"2.0","id":1,"method":"eth_getBlock","params":["${KEY}"]}`,
      `{"jsonrpc":"2.0","id":1,"method":"eth_getBlock","params":{"${KEY}":1}}`,
    ]) {
      answers.push((await request(rpcUrl, { body })).text);
    }
    // What follows is echoed to the caller, as it has to be.
    await request(rpcUrl, { body: `{"jsonrpc":"2.0","id":"${KEY}","method":"${KEY}"}` });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/v3/${KEY}`);
    socket.on('message', (message: Buffer) => answers.push(String(message)));
    await once(socket, 'open');
    socket.send(KEY);
    socket.send(call());
    await once(socket, 'message');
    socket.send(Buffer.from(KEY));
    await once(socket, 'message');
    socket.close(1000);
    await once(socket, 'close');
    await request(rpcUrl, { body: call() });
    expect(seen.length).toBeGreaterThan(0);
    expect(answers.join('').match(/HTTP\/1.1 (?:4\d\d)/g)!.length).toBeGreaterThan(20);
    const everything = [await output(), ...answers, ...seen].join('\n');
    expect(everything).toContain('specgate_requests_rejected_total{');
    expect(everything).not.toContain(KEY);
  });

  it('of an upstream that returns them never reach callers or output', async () => {
    const node = await startFakeNode(() => '1');
    const config = secretive(await configFor([node.url]), node.url);
    const { gateway, rpcUrl, output } = await serve(config);
    const isReady = async (): Promise<boolean> => (await fetch(new URL('readyz', gateway.ops))).ok;
    await eventually(isReady).toBe(true);
    const answers: string[] = [];
    const echo = ({ url, rawHeaders }: IncomingMessage): string =>
      `${String(url)} ${rawHeaders.join(' ')} ${sent.join(' ')}`;
    const words = (response: { req: IncomingMessage }): string =>
      JSON.stringify(echo(response.req));
    const says =
      (of: (words: string, id: number) => string, status = 200): Behavior =>
      ({ id }, response) => {
        response.writeHead(status, { 'content-type': 'text/html' });
        response.end(of(words(response), id));
        return undefined;
      };
    const error = (code: number, members: string) => (said: string, id: number) =>
      `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},${members.replace('SAID', () => said)}}}`;
    const failures: Behavior[] = [
      says(error(-32000, '"message":SAID')),
      says(error(3, '"message":"execution reverted","data":[SAID]')),
      says((said) => `<html>${said}</html>`),
      says((said) => `{"error":${said}}`),
      says((said) => said, 401),
      says((said) => said, 500),
      says((said) => `{"jsonrpc":"2.0","id":${said},"result":1}`),
      (_asked, response) => void response.destroy(),
      (_asked, { req }) => void req.socket.write(`${echo(req)}\r\n\r\n`),
      says(error(-32005, '"message":SAID'), 429),
    ];
    for (const misbehave of failures) {
      // First for calls alone, then for the probes too.
      node.behave((asked, response) =>
        asked.method === 'eth_getBlock' ? misbehave(asked, response) : undefined,
      );
      answers.push((await request(rpcUrl, { body: call() })).text);
      node.behave(misbehave);
      await eventually(isReady).toBe(false);
      node.behave(() => undefined);
      await eventually(isReady).toBe(true);
    }
    await node.stop();
    answers.push((await request(rpcUrl, { body: call() })).text);
    await eventually(output).toContain('upstream unhealthy');
    const everything = [await output(), ...answers].join('\n');
    expect(everything.match(/upstream call failed/g)!.length).toBeGreaterThanOrEqual(7);
    expect(all.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it('of an upstream that returns them as a result never appear in output', async () => {
    const result = JSON.stringify({ [sent[0]!]: sent.join(' ') });
    const node = await startFakeNode((asked) => probeAnswer(asked) ?? result);
    const quote = (value: unknown): Violation[] => {
      const message = `got ${JSON.stringify(value)}`;
      return [{ pointer: '', param: null, keyword: 'type', expected: 'null', message }];
    };
    const config = secretive(await configFor([node.url]), node.url);
    const checking = { ...protocol, validateResult: { eth_getBlock: quote } };
    const { rpcUrl, output } = await serve(config, checking);
    await eventually(async () => (await request(rpcUrl, { body: call() })).status).toBe(200);
    await eventually(output).toMatch(/\[redacted\].*result violates the document/);
    const everything = await output();
    expect(all.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it('of a WebSocket upstream that refuses them never appear', async () => {
    const server = createServer();
    const sockets = new WebSocketServer({ noServer: true });
    let isOpen = true;
    server.on('upgrade', (upgrade, socket, head) => {
      if (!isOpen) {
        const said = `${String(upgrade.url)} ${upgrade.rawHeaders.join(' ')} ${sent.join(' ')}`;
        return socket.end(`HTTP/1.1 401 ${said}\r\nx: ${said}\r\n\r\n${said}`);
      }
      return sockets.handleUpgrade(upgrade, socket, head, (opened) => {
        opened.on('message', (data: Buffer) => {
          const asked = JSON.parse(String(data)) as NodeRequest;
          const result = probeAnswer(asked);
          if (result !== undefined)
            opened.send(`{"jsonrpc":"2.0","id":${asked.id},"result":${result}}`);
          else opened.close(4_000, `${secrets.header} ${secrets.urlPath}`);
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { gateway, rpcUrl, output } = await serve(secretive(await configFor([url]), url));
    await eventually(async () => (await fetch(new URL('readyz', gateway.ops))).status).toBe(200);
    isOpen = false;
    const answer = await request(rpcUrl, { body: call() });
    expect(answer.status).toBe(503);
    await eventually(output).toContain('upstream unhealthy');
    const everything = `${await output()}\n${answer.text}`;
    expect(all.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it('of the store never appear while it is unavailable', async () => {
    const database = new URL(await createDatabase());
    const link = await startFlakyLink(Number(database.port));
    onTestFinished(() => link.stop());
    const address = (port: number): string =>
      `postgres://postgres:${secrets.storePassword}@127.0.0.1:${port}${database.pathname}`;
    const node = await startFakeNode(() => '1');
    const limits = { lease_ttl_ms: 300, lease_tick_ms: 20, key_refresh_ms: 20, store_wait_ms: 200 };
    const config = { ...(await configFor([node.url])), store: address(link.port), limits };
    const { rpcUrl, output } = await serve(config);
    await eventually(async () => (await request(rpcUrl, { body: call() })).status).toBe(200);
    link.cut();
    await eventually(async () => (await request(rpcUrl, { body: call() })).text).toContain(
      'store_unavailable',
    );
    const refused = await request(`${rpcUrl}/usage`, { method: 'GET' });
    expect(refused.status).toBe(503);
    link.restore();
    await eventually(async () => (await request(rpcUrl, { body: call() })).status).toBe(200);
    const everything = `${await output()}\n${refused.text}`;
    expect(everything).toContain('store operation failed');
    expect(all.filter((secret) => everything.includes(secret))).toEqual([]);
  });

  it.each([
    ['nothing listens there', (secret: string) => `postgres://specgate:${secret}@127.0.0.1:1/x`],
    ['it is not a URL', (secret: string) => `postgres://specgate:${secret}@[127.0.0.1/x`],
    [
      'there is no such database',
      (secret: string, port: number) => `postgres://postgres:${secret}@127.0.0.1:${port}/none`,
    ],
    [
      'the password is a parameter',
      (secret: string) => `postgres://127.0.0.1:1/x?user=a&password=${secret}`,
    ],
    ['it is of an unknown kind', (secret: string) => `mysql://specgate:${secret}@127.0.0.1/x`],
  ])('of a store that cannot be opened because %s never appear', async (_why, address) => {
    const { port } = new URL(await createDatabase());
    const store = address(secrets.storePassword, Number(port));
    const node = await startFakeNode(() => '1');
    const failed = await serve({ ...(await configFor([node.url])), store }).then(
      () => 'served',
      (error: Error) => `${error.stack} ${JSON.stringify(error)}`,
    );
    expect(failed).toContain('cannot open the store');
    expect(failed).not.toContain(secrets.storePassword);
    const opened = await openStore(store).catch(
      (error: Error) => `${error.stack}${JSON.stringify(error)}`,
    );
    expect(String(opened)).not.toContain(secrets.storePassword);
  });
});
