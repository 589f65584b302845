import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { failure, type Failure } from '../../src/upstream/upstream.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { connect } from './socket-support.ts';
import { ask, callOf, secretHeaders, textOf } from './support.ts';

describe('a WebSocket upstream', () => {
  it('passes on params and results byte for byte', async () => {
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

  it('passes on errors and ignores notifications and responses to callers that have left', async () => {
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

  it('fails the calls of a lost connection and reconnects', async () => {
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

  it('uses each connection only after its node was verified', async () => {
    const node = await startFakeSocketNode(() => '1');
    const results = [1, 2, 3].map(() => Promise.withResolvers<Failure | undefined>());
    let verifications = 0;
    const connecting = connect(node, {
      verify: () => {
        verifications += 1;
        return results[verifications - 1]!.promise;
      },
    });
    await expect.poll(() => verifications).toBe(1);
    results[0]!.resolve(undefined);
    const upstream = await connecting;
    expect(textOf(await ask(upstream.call))).toBe('1');
    node.cut();
    await expect.poll(() => verifications).toBe(2);
    expect(textOf(await ask(upstream.call))).toBe('connection');
    results[1]!.resolve(failure('unhealthy', 'wrong chain'));
    await expect.poll(() => verifications).toBe(3);
    expect(textOf(await ask(upstream.call))).toBe('connection');
    results[2]!.resolve(undefined);
    await expect.poll(async () => textOf(await ask(upstream.call))).toBe('1');
    expect(node.requests).toHaveLength(2);
    expect(upstream.states.map(([, detail]) => detail)).toContain('wrong chain');
  });

  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const unusable: [what: string, message: (id: number) => string | Buffer, cause?: string][] = [
    ['JSON cut short', (id) => `{"id":${id},"result":[`],
    ['its id as a string', (id) => `{"id":"${id}","result":1}`],
    ['too many levels', (id) => `{"id":${id},"result":${nested(600)}}`, 'too_deep'],
    ['its id behind 600 levels', (id) => `{"result":${nested(600)},"id":${id}}`, 'too_deep'],
    ['its id behind 50,000', (id) => `{"result":${nested(50_000)},"id":${id}}`, 'too_deep'],
    ['invalid UTF-8 before its id', (id) => Buffer.from(`{"result":"\xff","id":${id}}`, 'latin1')],
    ['neither result nor error', (id) => `{"id":${id}}`],
  ];

  it.each(unusable)('that sends a response with %s fails only its call', async (...row) => {
    const [, message, cause = 'malformed'] = row;
    const held: (() => void)[] = [];
    const node = await startFakeSocketNode(({ id, method }, socket) => {
      const text = method === 'eth_bad' ? message(id) : `{"id":${id},"result":"good"}`;
      held.push(() => socket.send(text, { binary: false }));
      return undefined;
    });
    const upstream = await connect(node);
    const methods = ['eth_good', 'eth_bad', 'eth_good'];
    const calls = methods.map((method) => ask(upstream.call, method));
    await expect.poll(() => held.length).toBe(3);
    for (const answer of held) answer();
    expect((await Promise.all(calls)).map(textOf)).toEqual(['"good"', cause, '"good"']);
    expect(upstream.states).toEqual([[true, '']]);
    expect(upstream.dropped).toEqual([]);
  });

  it('has what it sent before it closed the connection read, however long that takes', async () => {
    let now_ms = 0;
    // Each look at the clock takes longer than a turn, so that every message waits.
    const clock = { now_ms: () => 0, monotonic_ms: () => (now_ms += 10) };
    const large = `"${'x'.repeat(1_000_000)}"`;
    const node = await startFakeSocketNode((_, socket) => {
      if (node.requests.length < 20) return undefined;
      for (const { id } of node.requests) {
        socket.send(`{"jsonrpc":"2.0","id":${id},"result":${id === 10 ? large : id}}`);
      }
      socket.close();
      return undefined;
    });
    const upstream = await connect(node, { limits: { response_bytes: 2_000_000 }, clock });
    const calls = Array.from({ length: 20 }, () => ask(upstream.call));
    const expected = Array.from({ length: 20 }, (_, index) => String(index + 1));
    expected[9] = large;
    expect((await Promise.all(calls)).map(textOf)).toEqual(expected);
  });

  it('is disconnected when it does not answer pings', async () => {
    const node = await startFakeSocketNode();
    const upstream = await connect(node, { limits: { upstream_heartbeat_ms: 500 } });
    const [socket] = node.sockets;
    for (let beat = 0; beat < 3; beat += 1) await once(socket!, 'ping');
    expect(upstream.states).toEqual([[true, '']]);
    // A paused socket reads nothing, so it does not answer pings.
    socket!.pause();
    await expect.poll(() => upstream.states.map(([isReady]) => isReady)).toContain(false);
  });

  it('is disconnected soon after a call without a response, unless something is received', async () => {
    const node = await startFakeSocketNode(() => undefined);
    const limits = { upstream_heartbeat_ms: 1e9, probe_ms: 200 };
    const upstream = await connect(node, { limits });
    const [socket] = node.sockets;
    const callBriefly = async (): Promise<string> => {
      const controller = new AbortController();
      const { signal } = controller;
      const sent = upstream.call({ method: 'eth_test', params: Buffer.from('[]') }, signal);
      await expect.poll(() => node.requests.length).toBeGreaterThan(0);
      controller.abort();
      return textOf(await sent);
    };
    const pinged = once(socket!, 'ping');
    expect(await callBriefly()).toBe('aborted');
    await pinged;
    const other = ask(upstream.call);
    await expect.poll(() => node.requests.length).toBe(2);
    // A paused socket reads nothing, so it does not answer pings.
    socket!.pause();
    await expect
      .poll(async () => (await callBriefly(), upstream.states))
      .toContainEqual([false, 'no reply to a ping, or no more of a message']);
    expect(textOf(await other)).toBe('connection');
  });

  it('refuses calls while too many bytes are unsent', async () => {
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

  it('sends calls of other accounts and probes before the unsent bytes of one account', async () => {
    const node = await startFakeSocketNode(() => '1');
    const upstream = await connect(node, { limits: { upstream_send_bytes: 10_000_000 } });
    for (const socket of node.sockets) socket.pause();
    const { signal } = new AbortController();
    const big = `["${'x'.repeat(1_000_000)}"]`;
    const callAs = async (account: string | undefined, method: string, text = '[]') =>
      textOf(
        await upstream.call(callOf(method, text, account === undefined ? {} : { account }), signal),
      );
    const calls = Array.from({ length: 30 }, () => callAs('greedy', 'eth_big', big));
    expect(await Promise.race(calls)).toBe('overloaded');
    const others = [callAs('other', 'eth_small'), callAs(undefined, 'eth_probe')];
    for (const socket of node.sockets) socket.resume();
    expect(await Promise.all(others)).toEqual(['1', '1']);
    const outcomes = await Promise.all(calls);
    expect(new Set(outcomes)).toEqual(new Set(['1', 'overloaded']));
    const methods = node.requests.map(({ method }) => method);
    expect(methods.at(-1)).toBe('eth_big');
    expect(methods.indexOf('eth_probe')).toBeLessThan(methods.indexOf('eth_small'));
  });

  it('does not send calls whose callers have left before their turn', async () => {
    const node = await startFakeSocketNode(() => '1');
    const upstream = await connect(node);
    for (const socket of node.sockets) socket.pause();
    const caller = new AbortController();
    const big = callOf('eth_big', `["${'x'.repeat(1_000_000)}"]`);
    const calls = Array.from({ length: 16 }, () => upstream.call(big, caller.signal));
    const kept = ask(upstream.call, 'eth_kept');
    caller.abort();
    expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map(() => 'aborted'));
    for (const socket of node.sockets) socket.resume();
    expect(textOf(await kept)).toBe('1');
    expect(node.requests.length).toBeLessThan(1 + calls.length);
  });

  it('fails to start without a listener, and reconnects', async () => {
    const node = await startFakeSocketNode(() => '1');
    await node.stop();
    const upstream = await connect(node);
    expect(upstream.states).toEqual([[false, 'ECONNREFUSED']]);
    expect(await ask(upstream.call)).toMatchObject({ cause: 'connection' });
    await node.restart();
    await expect.poll(async () => textOf(await ask(upstream.call))).toBe('1');
  });

  it('does not reveal its address or headers when it fails', async () => {
    const node = await startFakeSocketNode();
    await node.stop();
    const upstream = await connect(node);
    const visible = JSON.stringify([upstream.states, await ask(upstream.call)]);
    expect(visible).not.toMatch(/secret|0123456789abcdef|127\.0\.0\.1/);
  });

  it('fails calls in flight when closed and does not reconnect', async () => {
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
