import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { describeService } from '../../bin/commands/describe-service.ts';
import { startProxy, type RunningProxy } from '../../src/main/proxy.ts';
import { documentOf, modelOf } from '../generator/support/document.ts';

const document = documentOf([{ name: 'get', params: [], result: { name: 'r', schema: true } }]);

/** Members of a response beside its id. */
let answer: string;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  response.setHeader('content-type', 'application/json');
  response.end(answerTo(Buffer.concat(chunks)));
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  socket.on('message', (message) => socket.send(answerTo(message as Buffer)));
});

function answerTo(message: Buffer): string {
  const { id } = JSON.parse(message.toString()) as { readonly id: number };
  return `{${answer},"id":${id}}`;
}

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe.each(['http', 'ws'])('a proxy in front of a server spoken to by %s', (scheme) => {
  const seen: string[] = [];
  const proxies: RunningProxy[] = [];

  beforeAll(async () => {
    const { port } = server.address() as AddressInfo;
    for (const fails of [false, true]) {
      const settings = {
        address: { host: '127.0.0.1', port: 0 },
        upstream: new URL(`${scheme}://127.0.0.1:${port}/`),
        headers: {},
        fails,
      };
      const listeners = {
        onViolation: ({ side, message }: { side: string; message: string }) =>
          void seen.push(`${side}: ${message}`),
        onError: (error: unknown) => expect.unreachable(String(error)),
      };
      proxies.push(await startProxy(describeService(await modelOf(document)), settings, listeners));
    }
  });
  beforeEach(() => void seen.splice(0));
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
  });

  const ask = async ({ http }: RunningProxy): Promise<unknown> => {
    const body = '{"jsonrpc":"2.0","id":"mine","method":"get","params":[]}';
    const headers = { 'content-type': 'application/json' };
    return (await fetch(http, { method: 'POST', headers, body })).json();
  };

  it.each([
    ['"result":1', 'response has no "jsonrpc": "2.0"'],
    ['"jsonrpc":"1.0","result":1', '"jsonrpc" of the response is not "2.0"'],
    ['"jsonrpc":"2.0","result":1,"error":null', 'response has both "result" and "error"'],
  ])('reports {%s} and composes a response without the mistake', async (members, message) => {
    answer = members;
    expect(await ask(proxies[0]!)).toEqual({ jsonrpc: '2.0', id: 'mine', result: 1 });
    expect(seen).toEqual([`response: ${message}`]);
    expect(await ask(proxies[1]!)).toMatchObject({
      id: 'mine',
      error: { code: -32603, data: { violations: [{ message }] } },
    });
  });

  it('reports an error without a message', async () => {
    answer = '"jsonrpc":"2.0","error":{"code":7}';
    expect(await ask(proxies[0]!)).toMatchObject({ error: { code: 7 } });
    expect(seen).toEqual(['response: error in the response has no message']);
  });

  it('reports nothing of a correct response', async () => {
    answer = '"jsonrpc":"2.0","result":2';
    expect(await ask(proxies[0]!)).toEqual({ jsonrpc: '2.0', id: 'mine', result: 2 });
    expect(await ask(proxies[1]!)).toMatchObject({ result: 2 });
    expect(seen).toEqual([]);
  });
});
