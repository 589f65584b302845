import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startFakeNode } from './fake-node.ts';
import { ask, startNetwork, textOf } from './support.ts';

const idFirst = (id: number, result: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
const idLast = (id: number, result: string): string =>
  `{"jsonrpc":"2.0","result":${result},"id":${id}}`;

function withLength(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function inChunks(body: string): string {
  const size = body.length.toString(16);
  return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`;
}

function write({ socket }: ServerResponse, text: string): void {
  socket?.write(text);
}

describe('an HTTP node that answers a call twice', () => {
  it.each([
    ['with the id first', idFirst, withLength],
    ['with the id first, in chunks', idFirst, inChunks],
    ['with the id last', idLast, withLength],
  ])('fails no other call on the connection (%s)', async (_, respond, send) => {
    const sockets = new Set<Socket | null>();
    let first: number | undefined;
    const node = await startFakeNode(({ method, id }, response) => {
      if (method !== 'eth_test') return undefined;
      sockets.add(response.socket);
      // The second response to the first call arrives when the second call has been sent.
      if (first !== undefined) write(response, send(respond(first, '"first"')));
      first = sockets.size === 1 ? id : undefined;
      return `${id}`;
    });
    const limits = { upstream_connections: 1, probe_interval_ms: 60_000 };
    const network = await startNetwork([node.url], { limits });
    for (let call = 0; call < 4; call += 1) {
      const result = textOf(await ask(network.call));
      expect(Number(result)).toBe(node.requests.at(-1)?.id);
    }
    expect(network.outcomes.map(([, outcome]) => outcome).toSorted()).toEqual([
      'interrupted',
      'result',
      'result',
      'result',
      'result',
    ]);
    expect(sockets.size).toBeGreaterThan(1);
  });
});
