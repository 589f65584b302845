import { describe, expect, it } from 'vitest';
import { withTimeout } from '../../src/upstream/with-timeout.ts';
import { nodeError, startFakeNode, type Behavior } from './fake-node.ts';
import { ask, openUpstream } from './support.ts';

describe('an HTTP upstream', () => {
  it('passes on params and results byte for byte', async () => {
    const result = '{ "rentEpoch" : 18446744073709551615, "a":1.0, "b":"\\u00e9\\/" ,"a":2}';
    const node = await startFakeNode(() => result);
    const outcome = await ask(openUpstream(node.url));
    expect(outcome).toMatchObject({ kind: 'result' });
    expect('result' in outcome && outcome.result.toString()).toBe(result);
    expect(node.requests[0]!.text).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"eth_test","params":[ 1, {"a" : 1.0} ]}',
    );
  });

  it('reuses connections and sends path, query and headers', async () => {
    const seen: { url: string | undefined; token: unknown; port: number | undefined }[] = [];
    const node = await startFakeNode((_request, { req }) => {
      seen.push({ url: req.url, token: req.headers['x-token'], port: req.socket.remotePort });
      return '1';
    });
    const upstream = openUpstream(node.url);
    for (let call = 0; call < 10; call += 1) await ask(upstream);
    expect(seen[0]).toMatchObject({ url: '/rpc?token=secret', token: 'secret-token' });
    expect(new Set(seen.map(({ port }) => port)).size).toBeLessThan(3);
  });

  it('passes on a node error with code, message and raw data', async () => {
    const node = await startFakeNode(nodeError(3, 'execution reverted', '0x'));
    expect(await ask(openUpstream(node.url))).toEqual({
      kind: 'error',
      error: { code: 3, message: 'execution reverted', data: '0x', rawData: Buffer.from('"0x"') },
    });
  });

  it('accepts null as a result and ignores a null error', async () => {
    const node = await startFakeNode(() => 'null,"error":null');
    expect(await ask(openUpstream(node.url))).toMatchObject({ kind: 'result' });
  });

  const answers: [what: string, behavior: Behavior, cause: string][] = [
    ['HTML', (_, response) => void response.end('<html>oops</html>'), 'malformed'],
    ['nothing', (_, response) => void response.end(), 'malformed'],
    [
      'truncated JSON',
      ({ id }, response) => void response.end(`{"id":${id},"result":{"a":`),
      'malformed',
    ],
    [
      'a wrong id',
      (_, response) => void response.end('{"jsonrpc":"2.0","id":99,"result":1}'),
      'malformed',
    ],
    [
      'an id as string',
      ({ id }, response) => void response.end(`{"id":"${id}","result":1}`),
      'malformed',
    ],
    ['an array', ({ id }, response) => void response.end(`[{"id":${id},"result":1}]`), 'malformed'],
    [
      'no result',
      ({ id }, response) => void response.end(`{"jsonrpc":"2.0","id":${id}}`),
      'malformed',
    ],
    [
      'an error without a code',
      ({ id }, response) => void response.end(`{"id":${id},"error":{}}`),
      'malformed',
    ],
    ['status 500', (_, response) => void response.writeHead(500).end('no'), 'status'],
    ['status 429', (_, response) => void response.writeHead(429).end('{}'), 'status'],
    [
      'status 301',
      (_, response) => void response.writeHead(301, { location: '/' }).end(),
      'status',
    ],
    ['a reset', (_, response) => void response.destroy(), 'connection'],
    [
      'a truncated body',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"jsonrpc"', () => response.destroy());
        return undefined;
      },
      'connection',
    ],
    ['too much', () => JSON.stringify('x'.repeat(200_000)), 'too_large'],
    [
      'an endless error page',
      (_, response) => void response.writeHead(500).end('x'.repeat(200_000)),
      'status',
    ],
  ];

  it.each(answers)('fails on %s and works on the next call', async (...row) => {
    const [, behavior, cause] = row;
    const node = await startFakeNode(behavior);
    const upstream = openUpstream(node.url);
    expect(await ask(upstream)).toMatchObject({ kind: 'failure', cause });
    node.behave(() => '7');
    expect(await ask(upstream)).toMatchObject({ kind: 'result' });
  });

  it('fails when the connection is refused', async () => {
    const node = await startFakeNode();
    await node.stop();
    expect(await ask(openUpstream(node.url))).toMatchObject({ cause: 'connection' });
  });

  it('is canceled before or after the request was sent', async () => {
    const closed: Promise<unknown>[] = [];
    const node = await startFakeNode((_request, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      return undefined;
    });
    const upstream = openUpstream(node.url);
    expect(await ask(upstream, 'eth_test', AbortSignal.abort())).toMatchObject({
      cause: 'aborted',
    });
    const caller = new AbortController();
    const calls = Array.from({ length: 12 }, () => ask(upstream, 'eth_test', caller.signal));
    // Four connections for calls, as many for accounts below their share, two for probes.
    await expect.poll(() => node.requests.length).toBe(10);
    caller.abort();
    for (const outcome of await Promise.all(calls))
      expect(outcome).toMatchObject({ cause: 'aborted' });
    await Promise.all(closed);
    node.behave(() => '7');
    expect(await ask(upstream)).toMatchObject({ kind: 'result' });
    expect(node.requests).toHaveLength(11);
  });
});

describe('withTimeout', () => {
  it('ends a call in time and cancels the call below', async () => {
    const given_up: boolean[] = [];
    const slow = withTimeout(async (_call, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      given_up.push(signal.aborted);
      return { kind: 'result', result: Buffer.from('1') };
    }, 10);
    expect(await ask(slow)).toMatchObject({ kind: 'failure', cause: 'timeout' });
    await expect.poll(() => given_up).toEqual([true]);
  });
});
