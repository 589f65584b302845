import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Senders } from '../../src/time/message-turns.ts';
import { listen } from '../../src/transport/listen.ts';
import { WITHOUT_KEY } from '../../src/transport/network-service.ts';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from './eventually.ts';
import { call, echo, networkOver, post } from './support.ts';

interface TlsServer {
  readonly port: number;
  /** Senders that have asked for a turn. */
  readonly senders: Senders[];
  /** Gives those that wait for a turn theirs. */
  readonly proceed: () => void;
}

/** Serves a network over TLS, in which those without a key wait for their turn until `proceed`. */
async function serveTls({ areTurnsHeld = true } = {}): Promise<TlsServer> {
  const pair = makeCertificate(await temporaryFolder(), 'one.example');
  const { service } = networkOver(echo, {
    limits: { http_headers_ms: 600_000 },
  });
  const senders: Senders[] = [];
  let turn = Promise.withResolvers<void>();
  service.turns.wait = (sender) => {
    senders.push(sender);
    return areTurnsHeld && sender === WITHOUT_KEY ? turn.promise : undefined;
  };
  const proceed = (): void => {
    turn.resolve();
    turn = Promise.withResolvers();
  };
  const networks = [{ name: 'one', service, hostNames: [] }];
  const certificates = [{ ...pair, hostNames: [] }] as const;
  const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(0));
  return { port: listener.port, senders, proceed };
}

async function dial(port: number): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Opens a connection, then forgets its turn; returns a function that makes a call over it. */
async function dialKnown({ port, senders, proceed }: TlsServer): Promise<() => Promise<void>> {
  const socket = connectTls({ port, rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  await eventually(() => senders).toEqual([WITHOUT_KEY]);
  proceed();
  await once(socket, 'secureConnect');
  senders.length = 0;
  return async () => {
    socket.write(post(call()));
    expect(String(await once(socket, 'data'))).toContain('200 OK');
    senders.splice(0, senders.length, ...senders.filter((sender) => sender === WITHOUT_KEY));
  };
}

/** Returns the ClientHello of a client of Node: one record. */
async function clientHello(): Promise<Buffer> {
  const sent = Promise.withResolvers<Buffer>();
  const wire = new Duplex({
    read: () => undefined,
    write: (data: Buffer) => sent.resolve(data),
  });
  connectTls({ socket: wire, servername: 'one.example' }).on('error', () => undefined);
  const hello = await sent.promise;
  wire.destroy();
  return hello;
}

/** Returns the records of a ClientHello that is sent in parts of the given length. */
function inRecords(hello: Buffer, length: number): Buffer[] {
  const message = hello.subarray(5);
  return Array.from({ length: Math.ceil(message.length / length) }, (_, index) => {
    const part = message.subarray(index * length, (index + 1) * length);
    return Buffer.concat([Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]);
  });
}

describe('a TLS handshake', () => {
  it('waits for its turn with all that needs no key, and does not delay calls', async () => {
    const { port, senders, proceed } = await serveTls();
    const callKnown = await dialKnown({ port, senders, proceed });
    const stranger = connectTls({ port, rejectUnauthorized: false });
    onTestFinished(() => void stranger.destroy());
    let isSecure = false;
    const secure = once(stranger, 'secureConnect').then(() => (isSecure = true));
    await eventually(() => senders).toEqual([WITHOUT_KEY]);
    await callKnown();
    expect(isSecure).toBe(false);
    proceed();
    await secure;
  });

  it.each([
    ['in two parts', (hello: Buffer) => [hello.subarray(0, -1), hello.subarray(-1)]],
    ['in small records', (hello: Buffer) => inRecords(hello, 3)],
  ])('takes its turn once its first message has arrived, %s', async (_, split) => {
    const { port, senders, proceed } = await serveTls();
    const parts = split(await clientHello());
    const socket = await dial(port);
    socket.write(Buffer.concat(parts.slice(0, -1)));
    // A later connection that is further shows that the first one was read.
    const other = await dial(port);
    other.write(await clientHello());
    await eventually(() => senders).toEqual([WITHOUT_KEY]);
    proceed();
    const [answer] = (await once(other, 'data')) as [Buffer];
    expect(answer[0]).toBe(22);
    socket.write(parts.at(-1)!);
    await eventually(() => senders).toEqual([WITHOUT_KEY, WITHOUT_KEY]);
    proceed();
    expect(((await once(socket, 'data')) as [Buffer])[0][0]).toBe(22);
  });

  it('that came last has the first turn while over 500 wait, else the oldest', async () => {
    const { port, senders, proceed } = await serveTls();
    const callKnown = await dialKnown({ port, senders, proceed });
    const hello = await clientHello();
    const answered: number[] = [];
    for (let index = 0; index < 502; index += 1) {
      const socket = await dial(port);
      socket.once('data', () => answered.push(index));
      socket.write(hello);
      // A later call is answered after what has arrived before it was read.
      if (index === 0 || index > 498) await callKnown();
    }
    for (const turns of [1, 2, 3]) {
      await eventually(() => senders.length).toBe(turns);
      proceed();
      await eventually(() => answered.length).toBe(turns);
    }
    expect(answered).toEqual([501, 500, 0]);
  });

  it.each([
    ['ends', (socket: Socket, hello: Buffer) => socket.end(hello)],
    [
      'sends over 16 KiB',
      (socket: Socket, hello: Buffer) => {
        socket.write(Buffer.concat([hello, Buffer.alloc(16_384)]));
      },
    ],
    ['sends HTTP', (socket: Socket) => socket.write('GET / HTTP/1.1\r\n\r\n')],
    [
      'sends another record first',
      (socket: Socket, hello: Buffer) => {
        socket.write(Buffer.concat([Buffer.from([21, 3, 1, 0, 2, 1, 90]), hello]));
      },
    ],
  ])('closes a connection that %s before its turn', async (_, send) => {
    const { port } = await serveTls();
    const socket = await dial(port);
    send(socket, await clientHello());
    expect(await text(socket).catch(() => '')).toBe('');
  });

  it('closes the oldest of 500 that their clients do not go on with', async () => {
    const { port } = await serveTls({ areTurnsHeld: false });
    const hello = await clientHello();
    const closed: number[] = [];
    for (let index = 0; index < 502; index += 1) {
      const socket = await dial(port);
      socket.on('close', () => closed.push(index));
      socket.write(hello);
      await once(socket, 'data');
    }
    await eventually(() => closed).toEqual([0, 1]);
  });

  it('cannot be repeated on a connection', async () => {
    const { port } = await serveTls({ areTurnsHeld: false });
    const options = { port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const;
    const socket = connectTls(options);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    const failed = once(socket, 'error');
    let isRepeated = false;
    socket.renegotiate({}, (error) => (isRepeated = error === null));
    await Promise.race([failed, eventually(() => isRepeated).toBe(true)]);
    expect(isRepeated).toBe(false);
  });
});
