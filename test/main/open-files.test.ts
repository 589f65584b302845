import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectionsPerAddress, maxOpenFiles } from '../../src/main/open-files.ts';
import { request } from '../transport/support.ts';
import { configBefore, KEY, serveForTest, startNamedNode } from './load-support.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';

it('connections without a key leave files for those with one', async () => {
  const node = await startNamedNode('a', 1);
  const limits = { upstream_connections: 16 };
  const serving = await serveForTest(configBefore(node, 0, { limits }), {
    before: 'ulimit -n 600',
  });
  expect(serving.log()).toContain('the limit of open files allows fewer connections');
  const { port, hostname } = new URL(serving.base);
  const strangers = new Set<Socket>();
  onTestFinished(() => strangers.forEach((socket) => void socket.destroy()));
  for (let each = 0; each < 700; each += 1) {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    strangers.add(socket.once('close', () => strangers.delete(socket)));
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\n');
  }
  for (let each = 0; each < 10; each += 1) {
    expect((await request(`${serving.base}/v3/${KEY}`, { body })).status).toBe(200);
  }
  expect((await fetch(new URL('readyz', serving.ops))).status).toBe(200);
});

it('each address has its share of the files that upstreams and others leave', () => {
  const upstream = { url: 'http://127.0.0.1:1' };
  const network = (name: string, port: number) =>
    ({ name, listen: { host: '127.0.0.1', port }, upstreams: [upstream, upstream] }) as never;
  const limits = { connections: 10_000, upstream_connections: 100 };
  const one = { networks: [network('one', 1)], docs: undefined };
  const two = { networks: [network('one', 1), network('two', 2)], docs: {} as never };
  const connections = (config: typeof one | typeof two, files: number): number =>
    connectionsPerAddress(config, limits, files);
  expect(connections(one, Infinity)).toBe(10_000);
  expect(connections(one, 2_000)).toBe(2_000 - 256 - 2 * 202);
  expect(connections(two, 20_000)).toBe((20_000 - 256 - 1_000 - 4 * 202) / 2);
  expect(connections(two, 2_000)).toBe(64);
  expect(maxOpenFiles()).toBeGreaterThan(0);
});
