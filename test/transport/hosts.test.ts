import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { listen, type Listener } from '../../src/transport/listen.ts';
import { trustRanges } from '../../src/transport/host-router.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { call, connect, networkOver, type TestNetwork } from './support.ts';

const answers =
  (text: string): Upstream =>
  () =>
    Promise.resolve({ kind: 'result', result: Buffer.from(`"${text}"`) });

interface Reply {
  readonly status: number;
  readonly body: { result?: unknown; error?: { code: number; data: Record<string, unknown> } };
}

/** Sends a call with any Host header, which fetch does not allow. */
async function callHost(
  port: number,
  headers: Record<string, string>,
  path = '/v3/demo',
): Promise<Reply> {
  const sent = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(call());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode!, body: JSON.parse(text) as Reply['body'] };
}

async function serveBoth(
  isTrusted = trustRanges([]),
): Promise<{ listener: Listener; one: TestNetwork; two: TestNetwork }> {
  const one = networkOver(answers('one'));
  const two = networkOver(answers('two'));
  const networks = [
    { name: 'one', service: one.service, hostNames: ['one.example', 'uno.example'] },
    { name: 'two', service: two.service, hostNames: ['two.example', '[::1]'] },
  ];
  const listener = await listen({ networks, isTrusted }, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  return { listener, one, two };
}

describe('networks that share an address', () => {
  it('are selected by the host of a call, ignoring case, port and trailing dot', async () => {
    const { listener } = await serveBoth();
    const hosts: [host: string, network: string][] = [
      ['one.example', 'one'],
      ['uno.example:8080', 'one'],
      ['TWO.example', 'two'],
      ['two.example.:443', 'two'],
      ['[::1]:80', 'two'],
    ];
    for (const [host, result] of hosts) {
      expect(await callHost(listener.port, { host }), host).toMatchObject({ body: { result } });
    }
  });

  it('are selected by an absolute target, which overrides Host', async () => {
    const { listener } = await serveBoth();
    const target = 'http://two.example:80/v3/demo';
    expect(await callHost(listener.port, { host: 'one.example' }, target)).toMatchObject({
      body: { result: 'two' },
    });
  });

  it('answer a call for an unknown host with 404 and the host in its data', async () => {
    const { listener } = await serveBoth();
    const { status, body } = await callHost(listener.port, { host: 'three.example' });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      id: null,
      error: {
        code: -32600,
        message: 'unknown host',
        data: { reason: 'unknown_host', host: 'three.example' },
      },
    });
  });

  it('are selected for WebSockets too, and refuse an upgrade for an unknown host', async () => {
    const { listener } = await serveBoth();
    const url = `ws://127.0.0.1:${listener.port}/ws/v3/demo`;
    for (const network of ['one', 'two']) {
      const client = await connect(url, { host: `${network}.example` });
      client.socket.send(call(1));
      expect(await client.next()).toMatchObject({ result: network });
    }
    const socket = new WebSocket(url, { headers: { host: 'three.example' } });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(404);
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(JSON.parse(text)).toMatchObject({ error: { data: { reason: 'unknown_host' } } });
  });

  it('survive a connection reset while an upgrade for an unknown host is refused', async () => {
    const { listener } = await serveBoth();
    const upgrade =
      'GET /ws/v3/demo HTTP/1.1\r\nhost: three.example\r\nconnection: upgrade\r\n' +
      'upgrade: websocket\r\n\r\n';
    for (let count = 0; count < 20; count += 1) {
      const socket = connectTcp(listener.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(upgrade);
      socket.resetAndDestroy();
    }
    // An uncaught exception fails the run, as it would end the gateway.
    expect(await callHost(listener.port, { host: 'one.example' })).toMatchObject({ status: 200 });
  });

  it('use the last X-Forwarded-Host name of a trusted proxy, and ignore it from others', async () => {
    const trusting = await serveBoth(trustRanges(['10.0.0.0/8', '127.0.0.0/8']));
    const headers = { host: 'one.example', 'x-forwarded-host': 'three.example, two.example:80' };
    expect(await callHost(trusting.listener.port, headers)).toMatchObject({
      body: { result: 'two' },
    });
    const untrusting = await serveBoth(trustRanges(['10.0.0.0/8', '::1']));
    expect(await callHost(untrusting.listener.port, headers)).toMatchObject({
      body: { result: 'one' },
    });
  });

  it('count their own connections', async () => {
    const { listener, one, two } = await serveBoth();
    const client = await connect(`ws://127.0.0.1:${listener.port}/ws/v3/demo`, {
      host: 'two.example',
    });
    expect([one.connections, two.connections]).toEqual([
      { http: 0, websocket: 0 },
      { http: 1, websocket: 1 },
    ]);
    client.socket.close();
    await client.closed;
    await expect.poll(() => two.connections).toEqual({ http: 0, websocket: 0 });
  });
});

describe('a listener whose networks are replaced', () => {
  it('answers accepted requests with the old service, and later ones with the new service', async () => {
    const held = Promise.withResolvers<void>();
    const before = networkOver(async () => {
      await held.promise;
      return { kind: 'result', result: Buffer.from('"before"') };
    });
    const listener = await listen(
      { networks: [{ name: 'evm', service: before.service, hostNames: [] }] },
      { host: '127.0.0.1', port: 0 },
    );
    onTestFinished(() => listener.close(100));
    const client = await connect(`ws://127.0.0.1:${listener.port}/ws/v3/demo`);
    client.socket.send(call(1));
    const overHttp = callHost(listener.port, {});
    await expect.poll(() => before.callsInFlight()).toBe(2);
    const after = networkOver(answers('after'));
    let isReplaced = false;
    const replaced = listener
      .serve({ networks: [{ name: 'evm', service: after.service, hostNames: [] }] })
      .then(() => {
        isReplaced = true;
        return undefined;
      });
    client.socket.send(call(2));
    expect(await client.next()).toMatchObject({ id: 2, result: 'after' });
    expect(await callHost(listener.port, {})).toMatchObject({ body: { result: 'after' } });
    expect(isReplaced).toBe(false);
    held.resolve();
    expect(await client.next()).toMatchObject({ id: 1, result: 'before' });
    expect(await overHttp).toMatchObject({ body: { result: 'before' } });
    await replaced;
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('closes the WebSockets of a removed network once their calls are answered', async () => {
    const { listener, one, two } = await serveBoth();
    const client = await connect(`ws://127.0.0.1:${listener.port}/ws/v3/demo`, {
      host: 'two.example',
    });
    const networks = [{ name: 'one', service: one.service, hostNames: ['one.example'] }];
    await listener.serve({ networks });
    expect(await client.closed).toEqual([1001, 'shutting_down']);
    expect(await callHost(listener.port, { host: 'two.example' })).toMatchObject({ status: 404 });
    expect(two.connections.websocket).toBe(0);
  });

  it('applies a new message size limit to new sockets', async () => {
    const { listener, one } = await serveBoth();
    const limits = { ...one.service.limits, request_bytes: 50 };
    const networks = [
      { name: 'one', service: { ...one.service, limits }, hostNames: ['one.example'] },
    ];
    const url = `ws://127.0.0.1:${listener.port}/ws/v3/demo`;
    const known = await connect(url, { host: 'one.example' });
    await listener.serve({ networks });
    const later = await connect(url, { host: 'one.example' });
    later.socket.send(call(1));
    expect((await later.closed)[0]).toBe(1009);
    known.socket.send(call(1));
    expect(await known.next()).toMatchObject({ result: 'one' });
  });
});
