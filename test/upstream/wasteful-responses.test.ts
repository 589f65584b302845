import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readInParts } from '../../src/upstream/http/read-in-parts.ts';
import { startFakeNode } from './fake-node.ts';
import { ask, openUpstream, textOf } from './support.ts';

const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
const chunkedHead = `HTTP/1.1 200 OK\r\n${chunked}`;

it('takes a few informational responses of a node before the actual one', async () => {
  const responses = [16, 17, 5_000];
  const node = await startFakeNode((_, response) => {
    response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(responses.shift()!));
    return '"answer"';
  });
  const call = openUpstream(node.url);
  expect(await ask(call)).toMatchObject({ kind: 'result' });
  const failed = { cause: 'malformed', detail: 'too many informational responses' };
  expect(await ask(call)).toMatchObject(failed);
  expect(await ask(call)).toMatchObject(failed);
});

it.each([
  ['64 bytes', 200, 64, /^"x{400000}"$/],
  // The node has answered, and the other nodes would answer alike.
  ['1 byte', 200, 1, /^too_large$/],
  ['1 byte and a failed status', 503, 1, /^status$/],
])(
  'takes a long response in chunks of %s only if they are large enough',
  async (_, status, size, expected) => {
    const body = `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(400_000)}"}`;
    const chunks: string[] = [];
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size);
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    const node = await startFakeNode((__, { socket }) => {
      socket!.write(`HTTP/1.1 ${status} \r\n${chunked}${chunks.join('')}0\r\n\r\n`);
      return undefined;
    });
    const call = openUpstream(node.url, { response_bytes: 1_000_000 });
    expect(textOf(await ask(call))).toMatch(expected);
  },
);

it('takes few header fields of informational responses', async () => {
  const fields = [200, 300];
  const node = await startFakeNode((_, { socket }) => {
    socket!.write(`HTTP/1.1 103 Early Hints\r\n${'a: b\r\n'.repeat(fields.shift()!)}\r\n`);
    return '"answer"';
  });
  const call = openUpstream(node.url);
  expect(await ask(call)).toMatchObject({ kind: 'result' });
  expect(await ask(call)).toMatchObject({ detail: 'too many informational responses' });
});

it.each([
  ['header', (fields: string) => `HTTP/1.1 200 OK\r\n${fields}\r\n`],
  ['trailer', (fields: string) => `${chunkedHead}2\r\n{}\r\n0\r\n${fields}\r\n`],
])('rejects a response with too many %s fields', async (_, responseWith) => {
  const node = await startFakeNode((__, { socket }) => {
    socket!.write(responseWith('a:\r\n'.repeat(100_000)));
    return undefined;
  });
  expect(await ask(openUpstream(node.url))).toMatchObject({
    kind: 'failure',
    cause: 'connection',
    detail: 'UND_ERR_HEADERS_OVERFLOW',
  });
});

it('parses few lines of a response at once, and none after an error', () => {
  const socket = new PassThrough({ highWaterMark: 1e6 });
  readInParts(socket as unknown as Parameters<typeof readInParts>[0]);
  const text = 'a:\r\n'.repeat(10_000);
  socket.write(text);
  let read = '';
  for (let part = socket.read() as Buffer | null; part !== null; part = socket.read() as Buffer) {
    expect(part.length).toBeLessThanOrEqual(1_024);
    read += part.toString();
  }
  expect(read).toBe(text);
  socket.write(text);
  socket.destroy();
  expect(socket.read()).toBe(null);
});
