import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { listen, type Listener } from '../../src/transport/listen.ts';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from './eventually.ts';
import { call, echo, networkOver } from './support.ts';

/** Returns the common name of the certificate that a server presents for `servername`. */
async function nameShown(port: number, servername?: string): Promise<string> {
  const socket: TLSSocket = connectTls({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

async function callOver(port: number, ca: string): Promise<unknown> {
  const sent = request({
    port,
    ca,
    host: '127.0.0.1',
    servername: 'one.example',
    path: '/v3/demo',
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'one.example' },
  });
  sent.end(call(1));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return JSON.parse(text);
}

describe('networks served over TLS', () => {
  it('select certificates by server name, serve calls and WebSockets, and use renewed certificates', async () => {
    const folder = await temporaryFolder();
    const [one, two, three] = ['one.example', 'two.example', 'three.example'].map((name) =>
      makeCertificate(folder, name),
    );
    const { service, connections } = networkOver(echo);
    const networks = [
      { name: 'one', service, hostNames: ['one.example'] },
      { name: 'two', service: networkOver(echo).service, hostNames: ['two.example'] },
    ];
    const certificates = [
      { ...one!, hostNames: ['one.example'] },
      { ...two!, hostNames: ['two.example'] },
    ] as const;
    const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => listener.close(100));
    const { port } = listener;
    expect(await nameShown(port, 'one.example')).toBe('one.example');
    expect(await nameShown(port, 'TWO.example')).toBe('two.example');
    expect(await nameShown(port, 'other.example')).toBe('one.example');
    expect(await nameShown(port)).toBe('one.example');
    expect(await callOver(port, one!.cert)).toMatchObject({ id: 1, result: ['0x1', true] });
    const options = { ca: one!.cert, servername: 'one.example', headers: { host: 'one.example' } };
    const socket = new WebSocket(`wss://127.0.0.1:${port}/ws/v3/demo`, options);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    expect(connections.websocket).toBe(1);

    await listener.serve({
      networks,
      certificates: [{ ...three!, hostNames: ['one.example'] }, certificates[1]],
    });
    expect(await nameShown(port, 'one.example')).toBe('three.example');
    expect(await nameShown(port, 'two.example')).toBe('two.example');
    expect(await nameShown(port)).toBe('three.example');
    socket.send(call(2));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ id: 2, result: ['0x1', true] });
  });

  it('close connections without a TLS handshake, after a timeout and on shutdown', async () => {
    const pair = makeCertificate(await temporaryFolder(), 'one.example');
    const serveFor = async (http_headers_ms: number): Promise<Listener> => {
      const { service } = networkOver(echo, { limits: { http_headers_ms } });
      const networks = [{ name: 'one', service, hostNames: [] }];
      const certificates = [{ ...pair, hostNames: [] }] as const;
      const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
      onTestFinished(() => listener.close(100));
      return listener;
    };
    const silent = async ({ port }: Listener): Promise<Promise<unknown>[]> => {
      const socket = connectTcp(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      return [once(socket, 'close', { signal: AbortSignal.timeout(30_000) })];
    };
    await Promise.all(await silent(await serveFor(100)));

    const listener = await serveFor(60_000);
    const closed = await silent(listener);
    expect(await callOver(listener.port, pair.cert)).toMatchObject({ id: 1 });
    await Promise.all([...closed, listener.close(60_000)]);
  });

  it('close connections on shutdown that have sent nothing', async () => {
    const pair = makeCertificate(await temporaryFolder(), 'one.example');
    const { service, connections } = networkOver(echo, { limits: { http_headers_ms: 600_000 } });
    const networks = [{ name: 'one', service, hostNames: [] }];
    const certificates = [{ ...pair, hostNames: [] }] as const;
    const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
    const socket = connectTls({ port: listener.port, ca: pair.cert, servername: 'one.example' });
    onTestFinished(() => void socket.destroy());
    await once(socket.resume(), 'secureConnect');
    await eventually(() => connections.http).toBe(1);
    await listener.close(600_000);
    await eventually(() => connections.http).toBe(0);
  });

  it('reject a private key that does not match the certificate', async () => {
    const folder = await temporaryFolder();
    const [one, two] = ['one.example', 'two.example'].map((name) => makeCertificate(folder, name));
    const networks = [{ name: 'one', service: networkOver(echo).service, hostNames: [] }];
    await expect(
      listen(
        { networks, certificates: [{ cert: one!.cert, key: two!.key, hostNames: [] }] },
        { host: '127.0.0.1', port: 0 },
      ),
    ).rejects.toThrow(/key/i);
  });
});
