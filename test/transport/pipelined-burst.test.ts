import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { destroyUnparsed } from '../../src/transport/stop-reading.ts';

/** Requests that a server parses of 1,000 in one write, when it ends the connection at the third. */
async function parsedOf(end: (socket: Socket) => void): Promise<number> {
  let parsed = 0;
  const server = createServer(({ socket }: IncomingMessage) => {
    parsed += 1;
    if (parsed === 3) end(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(1_000));
  await once(client.resume(), 'close');
  server.close();
  await once(server, 'close');
  return parsed;
}

it('a connection that is cut is not parsed any further', async () => {
  expect(await parsedOf((socket) => socket.destroy())).toBe(1_000);
  expect(await parsedOf(destroyUnparsed)).toBeLessThanOrEqual(4);
});
