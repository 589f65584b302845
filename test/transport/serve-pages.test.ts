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
    expect(asked).toBe(4);
  });

  it('closes a connection after 100 requests, and ignores those after them', async () => {
    let asked = 0;
    const answer = async () => plainAnswer(200, `page ${(asked += 1)}\n`);
    const server = await serveAnswers({ host: '127.0.0.1', port: 0, answer });
    onTestFinished(() => server.close());
    const socket = dial(server.port, '127.0.0.1');
    let answers = '';
    socket.on('data', (data: Buffer) => {
      answers += data.toString();
      // Three requests at once, the last of which is beyond the bound.
      const count = answers.split('page ').length - 1;
      if (asked === count && count % 3 === 2 && asked < 100) socket.write(get.repeat(3));
    });
    socket.write(get.repeat(2));
    await once(socket, 'close');
    expect(asked).toBe(100);
    expect(answers).toMatch(/page 99\n.*\r\n(?:.+\r\n)*Connection: close\r\n[^]*page 100\n$/i);
  });

  it('answers a request in its turn, and not at all if its client has left by then', async () => {
    const turns: (() => void)[] = [];
    const asked: string[] = [];
    const server = await serveAnswers({
      host: '127.0.0.1',
      port: 0,
      answer: async ({ path }) => {
        asked.push(path);
        return plainAnswer(200, 'page\n');
      },
      turn: () => new Promise((resolve) => turns.push(resolve)),
    });
    onTestFinished(() => server.close());
    const left = dial(server.port, '127.0.0.1');
    left.write(get.replace('/', '/left'));
    await expect.poll(() => turns.length).toBe(1);
    const stays = fetch(`http://127.0.0.1:${server.port}/stays`);
    await expect.poll(() => turns.length).toBe(2);
    expect(asked).toEqual([]);
    left.resetAndDestroy();
    // A connection that is opened and closed after it shows that the server has noticed.
    const later = dial(server.port, '127.0.0.1');
    later.end('nonsense\r\n\r\n');
    await text(later);
    for (const turn of turns) turn();
    expect((await stays).status).toBe(200);
    expect(asked).toEqual(['/stays']);
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
