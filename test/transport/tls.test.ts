import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
  return JSON.parse(await text(response));
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

  it('close a connection without a key after a document, which TLS copies, and count the copy', async () => {
    const pair = makeCertificate(await temporaryFolder(), 'one.example');
    const { service } = networkOver(echo);
    const document = Buffer.from(`"${'x'.repeat(3_000_000)}"`);
    const networks = [{ name: 'one', service: { ...service, document }, hostNames: [] }];
    const certificates = [{ ...pair, hostNames: [] }] as const;
    const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => listener.close(0));
    const dial = async (sent: string): Promise<TLSSocket> => {
      const socket = connectTls({ port: listener.port, ca: pair.cert, servername: 'one.example' });
      onTestFinished(() => void socket.destroy());
      await once(socket, 'secureConnect');
      socket.write(sent);
      return socket;
    };
    const get = 'GET /v3/openrpc.json HTTP/1.1\r\nhost: one.example\r\n\r\n';
    const hold = vi.spyOn(service.unsent, 'hold');
    const stranger = await dial(get + get);
    const received = await text(stranger);
    expect(hold).toHaveBeenCalledExactlyOnceWith(expect.anything(), undefined, document.length);
    expect(received.match(/^connection: close|HTTP\/1\.1 \d+/gim)).toEqual([
      'HTTP/1.1 200',
      'connection: close',
    ]);
    const body = call(1);
    const headers = 'host: one.example\r\ncontent-type: application/json\r\n';
    const post = `POST /v3/demo HTTP/1.1\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
    const known = await dial(post + get + get);
    let answers = '';
    known.on('data', (data: Buffer) => (answers += data.toString('latin1')));
    await eventually(() => answers.match(/HTTP\/1\.1 200/g)?.length).toBe(3);
    expect(answers).not.toMatch(/^connection: close/im);
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

  it('encrypt large responses in parts, for which Node keeps no large buffer', async () => {
    const pair = makeCertificate(await temporaryFolder(), 'one.example');
    const long = `é${'y'.repeat(300_000)}`;
    const result = Buffer.from(JSON.stringify(long));
    const { service } = networkOver(() => Promise.resolve({ kind: 'result', result }));
    const document = Buffer.from(`"${'x'.repeat(1_000_000)}"`);
    const networks = [{ name: 'one', service: { ...service, document }, hostNames: [] }];
    const certificates = [{ ...pair, hostNames: [] }] as const;
    const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => listener.close(0));
    const { port } = listener;
    const sizes = watchWrites();
    const options = { port, ca: pair.cert, host: '127.0.0.1', servername: 'one.example' };
    const got = request({ ...options, path: '/v3/openrpc.json' }).end();
    const [response] = (await once(got, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe(document.toString());

    const socket = new WebSocket(`wss://127.0.0.1:${port}/ws/v3/demo`, options);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    socket.send(call());
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ result: long });
    const sent = sizes.reduce((sum, size) => sum + size, 0);
    expect(sent).toBeGreaterThan(1_300_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16_384);
  });
});

/** Returns the sizes of all writes that Node encrypts for clients, each as a whole. */
function watchWrites(): readonly number[] {
  const sizes: number[] = [];
  type Chunk = { readonly chunk: Buffer | string };
  type Written = Buffer | string | readonly Chunk[];
  const prototype = Socket.prototype as unknown as {
    _writeGeneric(isMany: boolean, data: Written, ...rest: readonly unknown[]): unknown;
  };
  const write = prototype._writeGeneric;
  const spy = vi.spyOn(prototype, '_writeGeneric').mockImplementation(function (
    this: unknown,
    isMany,
    data,
    ...rest
  ) {
    if (this instanceof TLSSocket && isServer(this)) {
      const chunks = isMany ? (data as readonly Chunk[]) : [{ chunk: data as Buffer | string }];
      sizes.push(chunks.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk), 0));
    }
    return Reflect.apply(write, this, [isMany, data, ...rest]);
  });
  onTestFinished(() => spy.mockRestore());
  return sizes;
}

function isServer(socket: TLSSocket & { readonly _tlsOptions?: { readonly isServer?: boolean } }) {
  return socket._tlsOptions?.isServer === true;
}
