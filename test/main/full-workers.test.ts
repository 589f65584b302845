import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { configBefore, serveForTest, startNamedNode } from './load-support.ts';

const WORKERS = 2;
const CONNECTIONS = 3;

it('closes a connection for which no worker has space, instead of passing it around', async () => {
  const node = await startNamedNode('a', 1);
  const config = configBefore(node, 0, { limits: { connections: CONNECTIONS } });
  const serving = await serveForTest(config, { workers: WORKERS });
  const { hostname, port } = new URL(serving.base);
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const closed: Promise<number>[] = [];
  for (let count = 0; count <= WORKERS * CONNECTIONS; count += 1) {
    const socket = await open();
    let bytes = 0;
    socket.on('data', ({ length }) => (bytes += length));
    closed.push(once(socket, 'close').then(() => bytes));
  }
  // Those with space stay open, and end with a response when their headers do not come in time.
  expect(await Promise.race(closed)).toBe(0);
});
