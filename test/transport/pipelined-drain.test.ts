import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { call, post, serveNetwork } from './support.ts';

it.each([10, 100_000])(
  'all accepted calls of a connection are answered while draining (results of %i bytes)',
  async (bytes) => {
    const answer = Promise.withResolvers<void>();
    const network = await serveNetwork({
      upstream: async () => {
        await answer.promise;
        return { kind: 'result', result: Buffer.from(`"${'x'.repeat(bytes)}"`) };
      },
    });
    const socket = dial(network.listener.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(post(call(1)) + post(call(2)) + post(call(3)));
    await eventually(() => network.callsInFlight()).toBe(3);
    network.drain();
    const closed = network.listener.close(10_000);
    answer.resolve();
    const received = await text(socket);
    expect(received.match(/"id":\d/g)).toEqual(['"id":1', '"id":2', '"id":3']);
    expect(received.match(/connection: close/gi)).toHaveLength(1);
    await closed;
    expect(network.listener.cutCalls).toBe(0);
  },
);
