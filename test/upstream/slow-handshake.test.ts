import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from './socket-support.ts';

/** Starts a node that sends `start`, and then `text` again and again instead of the rest of its handshake. */
async function startSlowNode(start: string, text: string): Promise<URL> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(start);
    const timer = setInterval(() => socket.write(text), 20);
    socket.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it.each([
  ['a header that does not end', 'HTTP/1.1 101 Switching Protocols\r\nname: ', 'x'],
  ['informational responses without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
])('a node that sends %s does not keep its upstream from starting', async (_, head, text) => {
  const url = await startSlowNode(head, text);
  const upstream = await connect({ url }, { limits: { upstream_connect_ms: 200 } });
  expect(upstream.states).toEqual([[false, 'no complete handshake in time']]);
});

it('disconnects from a node that sends too many informational responses', async () => {
  const url = await startSlowNode('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), '');
  const upstream = await connect({ url });
  expect(upstream.states).toEqual([[false, 'too many informational responses']]);
});
