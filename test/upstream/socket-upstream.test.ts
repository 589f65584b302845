import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { UpstreamLimits } from '../../src/upstream/limits.ts';

import { failure, type Failure, type OpenUpstream } from '../../src/upstream/upstream.ts';
import { startFakeSocketNode, type FakeSocketNode } from './fake-socket-node.ts';
import { ask, openAt, secretHeaders, textOf } from './support.ts';

interface Line extends OpenUpstream {
  readonly states: [isReady: boolean, detail: string][];
}

async function connect(
  node: FakeSocketNode,
  {
    limits = {},
    verify = async () => undefined,
  }: { limits?: Partial<UpstreamLimits>; verify?: () => Promise<Failure | undefined> } = {},
): Promise<Line> {
  const upstream = openAt(node.url, limits);
  const states: Line['states'] = [];
  await upstream.start({
    verify,
    onReady: (isReady, detail) => states.push([isReady, detail]),
  });
  return { ...upstream, states };
}

describe('a WebSocket upstream', () => {
  it('gets the params byte for byte, and gives the result byte for byte', async () => {
    const result = '{ "rentEpoch" : 18446744073709551615, "a":1.0, "b":"\\u00e9\\/" ,"a":2}';
    const node = await startFakeSocketNode(() => result);
    const upstream = await connect(node);
    expect(textOf(await ask(upstream.call))).toBe(result);
    expect(node.requests[0]!.text).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"eth_test","params":[ 1, {"a" : 1.0} ]}',
    );
    expect(node.handshakes[0]!.headers).toMatchObject(secretHeaders);
    expect(node.handshakes[0]!.url).toBe('/rpc/0123456789abcdef?token=secret');
  });

  it('carries many calls over one socket, answered in any order', async () => {
    const held: (() => void)[] = [];
    const node = await startFakeSocketNode(({ id }, socket) => {
      held.push(() => socket.send(`{"result":"${id}","id":${id}}`));
      return undefined;
    });
    const upstream = await connect(node);
    const answers = Array.from({ length: 50 }, () => ask(upstream.call));
    await expect.poll(() => held.length).toBe(50);
    for (const answer of held.toReversed()) answer();
    const texts = (await Promise.all(answers)).map(textOf);
    expect(texts).toEqual(Array.from({ length: 50 }, (_, index) => `"${index + 1}"`));
    expect(node.sockets.size).toBe(1);
  });

  it('passes on errors, ignores notifications and the answers of callers that have gone', async () => {
    const node = await startFakeSocketNode(({ id }, socket) => {
      socket.send('{"jsonrpc":"2.0","method":"eth_subscription","params":{}}');
      socket.send(`{"jsonrpc":"2.0","id":${id},"error":{"code":3,"message":"no"}}`);
      return undefined;
    });
    const upstream = await connect(node);
    expect(textOf(await ask(upstream.call))).toBe('error 3');
    let late: (() => void) | undefined;
    node.behave(({ id }, socket) => {
      late = () => socket.send(`{"id":${id},"result":1}`);
      return undefined;
    });
    const caller = new AbortController();
    const gone = ask(upstream.call, 'eth_test', caller.signal);
    await expect.poll(() => late).toBeDefined();
    caller.abort();
    expect(textOf(await gone)).toBe('aborted');
    late!();
    node.behave(() => '2');
    expect(textOf(await ask(upstream.call))).toBe('2');
    expect(node.handshakes).toHaveLength(1);
  });

  it('fails the calls of a lost socket as a broken connection, and dials again', async () => {
    const node = await startFakeSocketNode(() => undefined);
    const upstream = await connect(node);
    const calls = [ask(upstream.call), ask(upstream.call)];
    await expect.poll(() => node.requests.length).toBe(2);
    node.cut();
    for (const outcome of await Promise.all(calls)) {
      expect(outcome).toMatchObject({ kind: 'failure', cause: 'connection' });
    }
    expect(await ask(upstream.call)).toMatchObject({ cause: 'connection' });
    node.behave(() => '1');
    await expect.poll(async () => textOf(await ask(upstream.call))).toBe('1');
    expect(upstream.states.map(([isReady]) => isReady)).toEqual([true, false, true]);
  });

  it('serves nothing over a connection before its other end has proved itself, at each dial', async () => {
    const node = await startFakeSocketNode(() => '1');
    const verdicts = [1, 2, 3].map(() => Promise.withResolvers<Failure | undefined>());
    let proofs = 0;
    const proving = connect(node, {
      verify: () => {
        proofs += 1;
        return verdicts[proofs - 1]!.promise;
      },
    });
    await expect.poll(() => proofs).toBe(1);
    verdicts[0]!.resolve(undefined);
    const upstream = await proving;
    expect(textOf(await ask(upstream.call))).toBe('1');
    node.cut();
    await expect.poll(() => proofs).toBe(2);
    expect(textOf(await ask(upstream.call))).toBe('connection');
    verdicts[1]!.resolve(failure('unhealthy', 'it is of another chain'));
    await expect.poll(() => proofs).toBe(3);
    expect(textOf(await ask(upstream.call))).toBe('connection');
    verdicts[2]!.resolve(undefined);
    await expect.poll(async () => textOf(await ask(upstream.call))).toBe('1');
    expect(node.requests).toHaveLength(2);
    expect(upstream.states.map(([, detail]) => detail)).toContain('it is of another chain');
  });

  const confusions: [what: string, message: (id: number) => string][] = [
    ['no JSON', () => '<html>'],
    ['JSON cut short', (id) => `{"id":${id},"result":[`],
    ['no object', (id) => `[{"id":${id},"result":1}]`],
    ['an id that was never given out', () => '{"id":99,"result":1}'],
    ['an id as text', (id) => `{"id":"${id}","result":1}`],
    ['an id of null', () => '{"id":null,"error":{"code":-32700,"message":"parse error"}}'],
  ];

  it.each(confusions)(
    'that sends %s is cut, and whole again at the next call',
    async (_, message) => {
      const node = await startFakeSocketNode(({ id }, socket) => void socket.send(message(id)));
      const upstream = await connect(node);
      expect(await ask(upstream.call)).toMatchObject({ kind: 'failure', cause: 'malformed' });
      node.behave(() => '7');
      await expect.poll(async () => textOf(await ask(upstream.call))).toBe('7');
    },
  );

  it('is cut when it gives no sign of life', async () => {
    const node = await startFakeSocketNode();
    const upstream = await connect(node, { limits: { upstream_heartbeat_ms: 250 } });
    const [socket] = node.sockets;
    for (let beat = 0; beat < 3; beat += 1) await once(socket!, 'ping');
    expect(upstream.states).toEqual([[true, '']]);
    // A paused socket reads nothing, so its end answers no ping.
    socket!.pause();
    await expect.poll(() => upstream.states.map(([isReady]) => isReady)).toContain(false);
  });

  it('takes no more calls than it can send', async () => {
    const node = await startFakeSocketNode(() => undefined);
    const upstream = await connect(node, { limits: { upstream_send_bytes: 1_000_000 } });
    for (const socket of node.sockets) socket.pause();
    const { signal } = new AbortController();
    const big = { method: 'eth_test', params: Buffer.from(`["${'x'.repeat(1_000_000)}"]`) };
    const calls = Array.from({ length: 30 }, () => upstream.call(big, signal));
    const refused = await Promise.race(calls);
    expect(refused).toMatchObject({ kind: 'failure', cause: 'overloaded' });
    await upstream.close();
    await Promise.all(calls);
  });

  it('fails to start where nobody listens, without throwing, and is dialled again', async () => {
    const node = await startFakeSocketNode(() => '1');
    await node.stop();
    const upstream = await connect(node);
    expect(upstream.states).toEqual([[false, 'ECONNREFUSED']]);
    expect(await ask(upstream.call)).toMatchObject({ cause: 'connection' });
    await node.restart();
    await expect.poll(async () => textOf(await ask(upstream.call))).toBe('1');
  });

  it('tells nothing of its address or headers when it fails', async () => {
    const node = await startFakeSocketNode();
    await node.stop();
    const upstream = await connect(node);
    const told = JSON.stringify([upstream.states, await ask(upstream.call)]);
    expect(told).not.toMatch(/secret|0123456789abcdef|127\.0\.0\.1/);
  });

  it('once closed fails what is under way and is not dialled again', async () => {
    const node = await startFakeSocketNode(() => undefined);
    const upstream = await connect(node);
    const call = ask(upstream.call);
    await expect.poll(() => node.requests.length).toBe(1);
    await upstream.close();
    expect(await call).toMatchObject({ kind: 'failure', cause: 'connection' });
    // Another one, lost later, is dialed twice.
    const other = await startFakeSocketNode();
    await connect(other);
    for (const dials of [2, 3]) {
      other.cut();
      await expect.poll(() => other.handshakes.length).toBe(dials);
    }
    expect(node.handshakes).toHaveLength(1);
  });
});
