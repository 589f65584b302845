import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ReadingPace } from '../../src/transport/stop-reading.ts';

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
