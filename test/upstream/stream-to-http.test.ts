import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StreamEnd } from '../../src/upstream/upstream.ts';
import { startFakeNode, type Behavior } from './fake-node.ts';
import { endless, resultOf, send, small, streamOf } from './stream-support.ts';
import { callOf, openUpstream } from './support.ts';

const HEAD = Buffer.from('{"jsonrpc":"2.0","id":"caller","result":');
const TAIL = Buffer.from('}');

/** A server that streams the result of a node over HTTP, like the transport. */
async function serve(behavior: Behavior): Promise<{ url: string; ends: StreamEnd[] }> {
  const node = await startFakeNode(behavior);
  const upstream = openUpstream(node.url, { ...small, stream_idle_ms: 60_000, stream_ms: 60_000 });
  const ends: StreamEnd[] = [];
  const server = createServer((_request, response) => {
    void (async () => {
      const leaving = new AbortController();
      response.on('close', () => leaving.abort());
      const outcome = await upstream(callOf('eth_test', '[]', { streams: true }), leaving.signal);
      const stream = streamOf(outcome);
      response.writeHead(200, { 'content-type': 'application/json' });
      const body = async function* (): AsyncGenerator<Buffer> {
        yield HEAD;
        yield* stream;
        yield TAIL;
      };
      await pipeline(body, response).catch(() => undefined);
      ends.push(await stream.ended);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ends };
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = (await once(request(url).end(), 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

describe('a stream passed on over HTTP', () => {
  it('arrives whole within its envelope', async () => {
    const result = resultOf(500_000);
    const { url, ends } = await serve(() => result);
    expect(await (await fetch(url)).text()).toBe(`${HEAD.toString()}${result}}`);
    await expect.poll(() => ends).toEqual([{ kind: 'whole', bytes: Buffer.byteLength(result) }]);
  });

  it('cuts the response when it breaks, so that it is not taken for an answer', async () => {
    const { url, ends } = await serve(async ({ id }, response) => {
      await send(response, `{"id":${id},"result":["${'x'.repeat(200_000)}"`);
      response.destroy();
      return undefined;
    });
    const response = await open(url);
    await expect(response.toArray()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    await expect.poll(() => ends[0]).toMatchObject({ kind: 'broken', cause: 'connection' });
  });

  it('ends when the client disconnects and waits for a slow client', async () => {
    const sent = { bytes: 0 };
    const slow = await serve(endless(undefined, sent));
    const response = await open(slow.url);
    response.pause();
    // A result several times as large, asked for later, arrives while the first one waits.
    const quick = await serve(() => JSON.stringify('x'.repeat(64_000_000)));
    expect((await (await fetch(quick.url)).arrayBuffer()).byteLength).toBeGreaterThan(64_000_000);
    // What the kernel holds between the node, the server and the client.
    expect(sent.bytes).toBeLessThan(32_000_000);
    response.destroy();
    await expect.poll(() => slow.ends[0]).toMatchObject({ kind: 'broken', cause: 'aborted' });
  });
});
