import { once } from 'node:events';
import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as dialSecure } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/transport/listen.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { eventually } from './eventually.ts';
import { call, networkOver, post, request, serveNetwork } from './support.ts';

describe('a client that has half-closed its connection', () => {
  const waiting = (): { upstream: Upstream; answer: () => void; started: Promise<void> } => {
    const answer = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const upstream: Upstream = async ({ params }, signal) => {
      started.resolve();
      await answer.promise;
      return signal.aborted
        ? { kind: 'failure', cause: 'aborted', detail: '' }
        : { kind: 'result', result: params };
    };
    return { upstream, answer: answer.resolve, started: started.promise };
  };

  it('gets its answers before the connection is closed', async () => {
    const { upstream, answer, started } = waiting();
    const network = await serveNetwork({ upstream });
    const socket = dial({ port: network.listener.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(post(call(1)) + post(call(2)));
    await started;
    // The FIN is read by now: what is sent after it over another connection is answered.
    await request(`${network.httpUrl}/v3/openrpc.json`, { method: 'GET' });
    answer();
    const received = await text(socket);
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(received).toContain('"id":2,"result":["0x1",true]');
    socket.end();
    await eventually(() => network.callsInFlight()).toBe(0);
  });

  /** Serves a network over TLS; returns it, and the options of a client that half-closes. */
  const serveSecure = async (upstream: Upstream) => {
    const pair = makeCertificate(await temporaryFolder(), 'one.example');
    const network = networkOver(upstream);
    const networks = [{ name: 'evm', service: network.service, hostNames: [] }];
    const certificates = [{ ...pair, hostNames: [] }] as const;
    const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => listener.close(100));
    const { port } = listener;
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true };
    return { network, options };
  };

  it('gets all of its last answer over TLS if it half-closes before it has read it', async () => {
    const result = Buffer.from(`"${'x'.repeat(2_000_000)}"`);
    const { network, options } = await serveSecure(() =>
      Promise.resolve({ kind: 'result', result }),
    );
    // A slow link: it takes the client's end to the server before the answer to the client.
    const pair = Promise.withResolvers<{ readonly client: Socket; readonly server: Socket }>();
    const link = createServer({ allowHalfOpen: true }, (client) => {
      const server = dial(options);
      client.pipe(server).pipe(client);
      client.on('error', () => server.destroy());
      server.on('error', () => client.destroy());
      pair.resolve({ client, server });
    });
    link.listen(0, '127.0.0.1');
    onTestFinished(() => void link.close());
    await once(link, 'listening');
    const socket = dialSecure({ ...options, port: (link.address() as AddressInfo).port });
    await once(socket, 'secureConnect');
    const { client, server } = await pair.promise;
    server.unpipe().pause();
    socket.write(post(call(1)).replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    await eventually(() => network.charged()).toBeGreaterThan(0);
    socket.end();
    await once(server, 'finish');
    let received = 0;
    socket.on('data', ({ length }) => (received += length));
    server.pipe(client);
    await once(socket, 'end');
    expect(received).toBeGreaterThan(result.length);
  });

  it('gets its answer over TLS, too', async () => {
    const { upstream, answer, started } = waiting();
    const { options } = await serveSecure(upstream);
    const socket = dialSecure(options);
    socket.end(post(call(1)));
    await started;
    const other = dialSecure(options);
    other.write('GET /v3/openrpc.json HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await text(other);
    other.end();
    answer();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    socket.end();
  });
});
