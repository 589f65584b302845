import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { connect, request } from '../transport/support.ts';
import {
  answeredMore,
  configBefore,
  KEY,
  loadOn,
  serveForTest,
  startNamedNode,
} from './load-support.ts';

describe('a reload', () => {
  it('applies new upstreams and limits during calls, without failing a call or dropping a connection', async () => {
    const [a, b] = [await startNamedNode('a'), await startNamedNode('b')];
    const serving = await serveForTest(configBefore(a, 0));
    const load = await loadOn(serving);
    await answeredMore(load, 200);
    for (const [index, node] of [b, a, b].entries()) {
      const limits = { socket_calls_in_flight: 500 + index, call_deadline_ms: 20_000 + index };
      expect(await serving.reload(configBefore(node, 0, { limits }))).toContain(
        'configuration reloaded',
      );
      const before = node.requests.length;
      await answeredMore(load, 200);
      expect(node.requests.length).toBeGreaterThan(before);
    }
    const asked = a.requests.length;
    await answeredMore(load, 100);
    expect(a.requests.length, 'calls to the upstream that was taken out').toBe(asked);
    await load.stop();
    expect({ failed: [...load.failed], dropped: load.dropped }).toEqual({
      failed: [],
      dropped: [],
    });
    expect(load.answered.size).toBe(a.requests.length + b.requests.length);
  });

  it('that cannot be applied is refused with a line that says why, and the current one keeps serving', async () => {
    const [good, stranger] = [await startNamedNode('good'), await startNamedNode('stranger')];
    stranger.answerProbes(({ method }) => (method === 'eth_chainId' ? '"0x5"' : undefined));
    const gone = await startNamedNode('gone');
    await gone.stop();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const serving = await serveForTest(configBefore(good, 0));
    const load = await loadOn(serving);
    const bad: [next: object | string, why: RegExp][] = [
      ['networks: [', /specgate\.yaml:1:12: /],
      [configBefore(good, 0, { stroe: 'x' }), /stroe: unknown setting; did you mean store\?/],
      [
        configBefore(good, 0, { store: 'other.sqlite' }),
        /store: a reload cannot change this setting/,
      ],
      [
        configBefore(good, 0, { limits: { lease_ttl_ms: 20_000 } }),
        /limits.lease_ttl_ms: a reload cannot change this setting/,
      ],
      [configBefore(good, port), /in use; set listen.port of network evm in .*specgate.yaml/],
      [configBefore(stranger, 0), /upstream-1: wrong chain: expected 31337, got 5; fix its url/],
      [configBefore(gone, 0), /network evm: no healthy upstream .*check the urls/],
    ];
    for (const [next, why] of bad) {
      const line = await serving.reload(next);
      expect(line).toContain('reload rejected');
      expect(line).toMatch(why);
      expect(line).not.toContain(KEY);
      await answeredMore(load, 30);
    }
    expect(await serving.reload(configBefore(good, 0))).toContain('configuration reloaded');
    await load.stop();
    expect({ failed: [...load.failed], dropped: load.dropped }).toEqual({
      failed: [],
      dropped: [],
    });
    expect(stranger.requests).toEqual([]);
  });

  it('opens and closes addresses, and adds accounts, plans and keys', async () => {
    const node = await startNamedNode('a', 1);
    const [first, second] = [await freePort(), await freePort()];
    const serving = await serveForTest(configBefore(node, first));
    const ask = async (port: number, key = KEY): Promise<number> => {
      const body =
        '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';
      return (await request(`http://127.0.0.1:${port}/v3/${key}`, { body })).status;
    };
    expect(await ask(first)).toBe(200);
    const accounts = [{ id: 'new', plan: 'gold', keys: [{ key: 'sg-another-key-0123456789' }] }];
    const plans = { gold: { creditsPerDay: 80, callsPerSecond: 100 } };
    await serving.reload(configBefore(node, second, { accounts, plans }));
    // A connection that was kept may have one more answer.
    await expect.poll(() => ask(first).catch(({ message }: Error) => message)).toBe('fetch failed');
    // Taking an account out of the configuration does not take it out of the store.
    expect(await ask(second)).toBe(200);
    await expect.poll(() => ask(second, 'sg-another-key-0123456789')).toBe(200);
    expect(await ask(second, 'sg-another-key-0123456789')).toBe(402);
  });

  it('reads certificates again from their files, and refuses those that do not match their keys', async () => {
    const node = await startNamedNode('a', 1);
    const folder = await temporaryFolder();
    const { certFile, keyFile } = makeCertificate(folder, 'old.example', 'gateway');
    const port = await freePort();
    const config = configBefore(node, port) as { networks: [{ listen: object }] };
    config.networks[0].listen = { port, tls: { cert: certFile, key: keyFile } };
    const serving = await serveForTest(config);
    expect(serving.base).toBe(`https://127.0.0.1:${port}`);
    const client = await connect(
      `wss://127.0.0.1:${port}/ws/v3/${KEY}`,
      {},
      { rejectUnauthorized: false },
    );
    expect(await subjectAt(port)).toBe('old.example');
    makeCertificate(folder, 'new.example', 'gateway');
    expect(await serving.reload(config)).toContain('configuration reloaded');
    expect(await subjectAt(port)).toBe('new.example');
    const { keyFile: stray } = makeCertificate(folder, 'stray.example');
    config.networks[0].listen = { port, tls: { cert: certFile, key: stray } };
    expect(await serving.reload(config)).toMatch(
      /networks\[0\].listen.tls: certificate and key cannot be used together/,
    );
    config.networks[0].listen = { port, tls: { cert: `${certFile}.gone`, key: stray } };
    expect(await serving.reload(config)).toMatch(/tls.cert: cannot read .*gone \(ENOENT\)/);
    expect(await serving.reload(configBefore(node, port))).toMatch(
      /listen.tls: a reload cannot change this setting/,
    );
    expect(await subjectAt(port)).toBe('new.example');
    client.socket.send(
      '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}',
    );
    expect(await client.next()).toMatchObject({ result: 'a' });
  });
});

async function subjectAt(port: number): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}
