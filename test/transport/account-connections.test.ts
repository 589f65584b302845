import { Agent, request as open, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';
import { call, connect, request, serveNetwork } from './support.ts';

/** A call over the one connection of an agent that keeps it open. */
async function callOver(agent: Agent, url: string): Promise<[status: number, body: string]> {
  const headers = { 'content-type': 'application/json' };
  const asked = open(`${url}/v3/demo`, { method: 'POST', headers, agent }).end(call());
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return [response.statusCode!, Buffer.concat((await response.toArray()) as Buffer[]).toString()];
}

function keptOpen(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

const refusal = { reason: 'too_many_connections', limitConnections: 2 };

describe('the connections of an account', () => {
  it('are limited over both transports together while they are open', async () => {
    const { httpUrl, wsUrl, connections } = await serveNetwork({ accountConnections: 2 });
    const agent = keptOpen();
    for (let calls = 0; calls < 5; calls += 1) {
      expect((await callOver(agent, httpUrl))[0]).toBe(200);
    }
    const client = await connect(`${wsUrl}/ws/v3/demo`);
    const refused = await request(`${httpUrl}/v3/demo`, { body: call(7) });
    expect(refused).toMatchObject({
      status: 429,
      body: { id: 7 },
      error: { code: -32005, data: refusal },
    });
    expect(refused.headers.get('connection')).toBe('close');
    const usage = await request(`${httpUrl}/v3/demo/usage`, { method: 'GET' });
    expect(usage).toMatchObject({ status: 429, error: { data: refusal } });
    const another = new WebSocket(`${wsUrl}/ws/v3/demo`);
    another.on('error', () => undefined);
    const [, response] = (await once(another, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(429);
    // Those that were there are served on.
    expect((await callOver(agent, httpUrl))[0]).toBe(200);
    client.socket.send(call(8));
    expect(await client.next()).toMatchObject({ id: 8 });
    client.socket.close();
    await eventually(() => connections.websocket).toBe(0);
    expect((await callOver(keptOpen(), httpUrl))[0]).toBe(200);
  });

  it.each([
    ['its body has not arrived', 'application/json\r\nexpect: 100-continue', ''],
    ['is not JSON', 'text/plain', call()],
  ])('count as soon as a key was sent, also if the request %s', async (_, type, body) => {
    const { httpUrl } = await serveNetwork({ accountConnections: 1 });
    const { port } = new URL(httpUrl);
    const first = connectTo(Number(port), '127.0.0.1');
    onTestFinished(() => void first.destroy());
    first.write(
      `POST /v3/demo HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\n` +
        `content-length: ${call().length}\r\n\r\n${body}`,
    );
    await once(first, 'data');
    const refused = await request(`${httpUrl}/v3/demo`, { body: call(7) });
    expect(refused).toMatchObject({ status: 429, body: { id: 7 } });
    first.destroy();
    await eventually(async () => (await callOver(keptOpen(), httpUrl))[0]).toBe(200);
  });

  it('are released once when they close', async () => {
    const { httpUrl, connections } = await serveNetwork({ accountConnections: 1 });
    for (let round = 0; round < 3; round += 1) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      expect((await callOver(agent, httpUrl))[0]).toBe(200);
      agent.destroy();
      await eventually(() => connections.http).toBe(0);
    }
  });
});
