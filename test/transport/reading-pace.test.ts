import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ConnectionServer } from '../../src/transport/server.ts';
import { ReadingPace } from '../../src/transport/stop-reading.ts';
import { echo, networkOver } from './support.ts';

it.each([
  ['resumes', false],
  ['does not resume, since Node has paused its parser too,', true],
])('a connection that was paused %s after the turns of its requests', async (_, _paused) => {
  const socket = Object.assign(new Socket(), { _paused });
  const pace = new ReadingPace(socket);
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits = turns.map(({ promise }) => pace.wait(promise));
  expect(socket.isPaused()).toBe(true);
  for (const { resolve } of turns) resolve();
  await Promise.all(waits);
  expect(socket.isPaused()).toBe(_paused);
  socket.destroy();
});

it('a connection that is paused, resumed and paused again at once is not read', async () => {
  const server = new ConnectionServer(networkOver(echo).service, undefined);
  const paused = Promise.withResolvers<Socket>();
  const paths: (string | undefined)[] = [];
  server.http.on('request', ({ url, socket }, response) => {
    paths.push(url);
    response.end();
    if (url !== '/first') return;
    // After Node itself has resumed it for the end of the request.
    setImmediate(() => {
      socket.pause();
      socket.resume();
      socket.pause();
      paused.resolve(socket);
    });
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  const [client, other] = [connect(server.port), connect(server.port)];
  const requestTo = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
  client.write(requestTo('/first'));
  const socket = await paused.promise;
  client.write(requestTo('/second'));
  // What the other connection sends later is read, twice.
  for (const path of ['/other', '/another']) {
    other.write(requestTo(path));
    await once(other, 'data');
  }
  expect(paths).toEqual(['/first', '/other', '/another']);
  socket.resume();
  await expect.poll(() => paths.at(-1)).toBe('/second');
  client.destroy();
  other.destroy();
});
