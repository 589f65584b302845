import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainAnswer, serveAnswers } from '../../src/transport/serve-pages.ts';

const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

describe('a server of pages', () => {
  it('cuts a connection with too many unanswered requests', async () => {
    let asked = 0;
    const server = await serveAnswers({
      host: '127.0.0.1',
      port: 0,
      answer: () => {
        asked += 1;
        return new Promise(() => undefined);
      },
    });
    onTestFinished(() => server.close());
    const socket = dial(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(get.repeat(1_000));
    await once(socket, 'close');
    expect(asked).toBe(16);
  });

  it('answers a client that has half-closed its connection', async () => {
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = await serveAnswers({
      host: '127.0.0.1',
      port: 0,
      answer: async ({ path }) => {
        if (path === '/now') return plainAnswer(200, 'now\n');
        asked.resolve();
        await answer.promise;
        return plainAnswer(200, 'late\n');
      },
    });
    onTestFinished(() => server.close());
    const socket = dial({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(get);
    await asked.promise;
    // The FIN is read by now: what is asked after it over another connection is answered.
    await fetch(`http://127.0.0.1:${server.port}/now`);
    answer.resolve();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*late\n$/);
    socket.end();
  });
});
