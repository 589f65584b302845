import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect as dial } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('closes the connection of an HTTP/1.0 request in a transfer coding', async () => {
    const answer = async () => plainAnswer(200, 'page\n');
    const server = await serveAnswers({ host: '127.0.0.1', port: 0, answer });
    onTestFinished(() => server.close());
    const socket = dial(server.port, '127.0.0.1');
    const head = 'GET / HTTP/1.0\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n';
    socket.write(`${head}0\r\n\r\n${get}`);
    const answers = await text(socket);
    expect(answers.match(/^HTTP\/1.1 \d+|^connection: .*$/gim)).toEqual([
      'HTTP/1.1 200',
      'Connection: close',
    ]);
  });

  it('does not parse a body in many small pieces', async () => {
    const answer = async () => plainAnswer(200, 'page\n');
    const server = await serveAnswers({ host: '127.0.0.1', port: 0, answer });
    onTestFinished(() => server.close());
    const pushed = vi.spyOn(IncomingMessage.prototype, 'push');
    onTestFinished(() => pushed.mockRestore());
    const socket = dial(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write('1\r\n \r\n'.repeat(10_000));
    let answers = '';
    socket.on('data', (data: Buffer) => (answers += data.toString()));
    await once(socket, 'close');
    expect(answers).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n/);
    expect(pushed.mock.calls.length).toBeLessThan(300);
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
