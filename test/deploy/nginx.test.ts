import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hasProgram } from '../support/programs.ts';
import { eventually } from '../transport/eventually.ts';
import { startNginx, type Nginx } from './nginx-process.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

const KEY = 'sg-topsecret0123456789';
const HOST = 'evm.localhost';
const isHere = hasProgram('nginx', 'deploy/nginx/nginx.conf', '-v');

interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly json: Record<string, unknown>;
}

let gateways: [StandIn, StandIn];
let nginx: Nginx;

async function send(
  path: string,
  { host = HOST, method = 'POST', body = '{}', headers = {} } = {},
): Promise<Reply> {
  const message = request({
    port: nginx.port,
    path,
    method,
    headers: { host, 'content-type': 'application/json', ...headers },
    agent: false,
  });
  message.end(body);
  const [response] = (await once(message, 'response')) as [IncomingMessage];
  const answer = await text(response);
  return {
    status: response.statusCode!,
    headers: response.headers,
    json: JSON.parse(answer) as Record<string, unknown>,
  };
}

/** What the access log says of the call that was answered so; it is written behind the answer. */
async function logged({ headers }: Reply): Promise<Record<string, unknown>> {
  const find = (): Record<string, unknown> | undefined =>
    nginx
      .logs()
      .access.trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ request_id: id }) => id === headers['x-request-id']);
  await eventually(find).toBeDefined();
  return find()!;
}

describe.skipIf(!isHere)('nginx in front of two gateways', () => {
  beforeAll(async () => {
    gateways = [await startStandIn('one'), await startStandIn('two')];
    nginx = await startNginx([gateways[0].port, gateways[1].port]);
  });
  afterAll(async () => {
    await nginx?.stop();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  it('forwards path, query, body and host name unchanged', async () => {
    const path = `/v3/${KEY}?a=%2F`;
    const { status, json } = await send(path, { body: '{"id":1}' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ method: 'POST', url: path, host: HOST, body: '{"id":1}' });
  });

  it('distributes calls to both gateways', async () => {
    const before = gateways.map((gateway) => gateway.count());
    await Promise.all(Array.from({ length: 40 }, () => send(`/v3/${KEY}`)));
    const answered = gateways.map((gateway, index) => gateway.count() - before[index]!);
    expect(answered[0]! + answered[1]!).toBe(40);
    expect(Math.min(...answered)).toBeGreaterThanOrEqual(10);
  });

  it('forwards WebSockets', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${nginx.port}/ws/v3/${KEY}`, {
      headers: { host: HOST },
    });
    await once(socket, 'open');
    socket.send('hello');
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(String(message)).toMatch(new RegExp(`^(?:one|two) /ws/v3/${KEY} hello$`));
    socket.close();
    await once(socket, 'close');
  });

  it.each([
    [`/v3/${KEY}`, '/v3/***'],
    [`/v3/${KEY}/`, '/v3/***'],
    [`/v3/${KEY}?key=${KEY}`, '/v3/***'],
    [`/v3/${KEY}/usage`, '/v3/***/usage'],
    [`/ws/v3/${KEY}`, '/ws/v3/***'],
    ['/v3/openrpc.json', '/v3/openrpc.json'],
    [`//v3/${KEY}`, '(other)'],
    [`/v3//${KEY}`, '(other)'],
    [`/V3/${KEY}`, '(other)'],
    [`/${KEY}`, '(other)'],
    [`/v3/x/${KEY}`, '(other)'],
    [`/v3%2F${KEY}`, '(other)'],
  ])('logs %s as %s', async (path, shown) => {
    const reply = await send(path, {
      headers: { referer: `http://docs/${KEY}`, 'user-agent': KEY },
    });
    const line = await logged(reply);
    expect(line).toMatchObject({
      network: 'evm',
      method: 'POST',
      path: shown,
      status: 200,
      gateway_status: '200',
      request_id: expect.stringMatching(/^(?:one|two)-\d+$/),
    });
    expect(JSON.stringify(line)).not.toContain(KEY);
  });

  it('refuses a host name of no network, and a body far over the limit, as a gateway would', async () => {
    const unknown = await send(`/v3/${KEY}`, { host: 'elsewhere.localhost' });
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: -32600 } } });
    const large = await send(`/v3/${KEY}`, { body: 'x'.repeat(3 * 1024 * 1024) });
    expect(large).toMatchObject({
      status: 413,
      headers: { 'access-control-allow-origin': '*' },
      json: { error: { code: -32600, data: { reason: 'request_too_large' } } },
    });
  });

  it('forwards a body at the limit, so that the gateway decides', async () => {
    const body = 'x'.repeat(1024 * 1024 + 1);
    const { status, json } = await send(`/v3/${KEY}`, { body });
    expect({ status, length: String(json['body']).length }).toEqual({
      status: 200,
      length: body.length,
    });
  });

  it('continues with one gateway when the other is gone, and answers 503 when both are', async () => {
    await gateways[0].stop();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => send(`/v3/${KEY}`)));
    expect(
      new Set(statuses.map(({ status, json }) => `${status} ${String(json['name'])}`)),
    ).toEqual(new Set(['200 two']));
    await gateways[1].stop();
    expect(await send(`/v3/${KEY}`)).toMatchObject({
      status: 503,
      headers: { 'access-control-allow-origin': '*' },
      json: { error: { code: -32603, data: { reason: 'no_upstream' } } },
    });
  });

  it('did not log the key, whatever failed', () => {
    const { access, error } = nginx.logs();
    expect(access.split('\n').length).toBeGreaterThan(70);
    expect(access).not.toContain(KEY);
    expect(error).not.toContain(KEY);
  });
});
