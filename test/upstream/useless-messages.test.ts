import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { connect } from './socket-support.ts';
import { ask, startNetwork, textOf } from './support.ts';

describe('a WebSocket upstream', () => {
  const unattributable: [what: string, message: (id: number) => string][] = [
    ['no JSON', () => '<html>'],
    ['no object', (id) => `[{"id":${id},"result":1}]`],
    ['an id that was never sent', () => '{"id":99,"result":1}'],
    ['neither an id nor a result', () => '{"type":"welcome"}'],
  ];

  it.each(unattributable)('drops messages with %s, and reports the first', async (_, message) => {
    const node = await startFakeSocketNode(({ id }, socket) => {
      for (let sent = 0; sent < 10; sent += 1) socket.send(message(id));
      return '"answer"';
    });
    const upstream = await connect(node);
    for (let call = 0; call < 4; call += 1) {
      expect(textOf(await ask(upstream.call))).toBe('"answer"');
    }
    expect(upstream.states).toEqual([[true, '']]);
    expect(upstream.dropped).toHaveLength(1);
  });

  it.each(unattributable)('that sends only messages with %s is reconnected', async (_, message) => {
    const node = await startFakeSocketNode(({ id }, socket) => {
      // One may be the response to the call.
      for (let sent = 0; sent < 17; sent += 1) socket.send(message(id));
      return undefined;
    });
    const upstream = await connect(node);
    expect(textOf(await ask(upstream.call))).toBe('interrupted');
    node.behave(() => '7');
    await expect.poll(async () => textOf(await ask(upstream.call))).toBe('7');
    expect(node.handshakes).toHaveLength(2);
  });

  it('reads no further messages once it has ended a useless connection', async () => {
    const node = await startFakeSocketNode(({ id }, socket) => {
      const { _socket: stream } = socket as unknown as { _socket: Writable };
      stream.cork();
      for (let sent = 0; sent < 100; sent += 1) socket.send('{"id":99,"result":1}');
      socket.send(`{"id":${id},"result":"too late"}`);
      stream.uncork();
      return undefined;
    });
    const upstream = await connect(node);
    expect(textOf(await ask(upstream.call))).toBe('interrupted');
  });

  it('is disconnected at once when it sends frames that violate the protocol', async () => {
    const sent = Promise.withResolvers<Socket>();
    const node = await startFakeSocketNode((_request, socket) => {
      const { _socket: stream } = socket as unknown as { _socket: Socket };
      // Each begins a message, and none ends one.
      stream.write(Buffer.alloc(3 * 100_000, Buffer.of(1, 1, 0x78)));
      sent.resolve(stream);
      return undefined;
    });
    const upstream = await connect(node);
    const call = ask(upstream.call);
    const stream = await sent.promise;
    expect(await call).toMatchObject({
      cause: 'connection',
      detail: 'the node sent an invalid WebSocket frame',
    });
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  const unasked: [what: string, message: (id: number) => string][] = [
    ['a notification', () => '{"jsonrpc":"2.0","method":"eth_subscription","params":{}}'],
    ['a request', () => '{"jsonrpc":"2.0","method":"ping","id":"a"}'],
    ['the response of the previous call', (id) => `{"id":${id - 1},"result":1}`],
  ];

  it.each(unasked)('that sends nothing but %s is reconnected', async (_, message) => {
    const node = await startFakeSocketNode(() => '1');
    const upstream = await connect(node);
    await ask(upstream.call);
    node.behave(({ id }, socket) => {
      for (let sent = 0; sent < 16; sent += 1) socket.send(message(id));
      return undefined;
    });
    expect(textOf(await ask(upstream.call))).toBe('interrupted');
    await expect.poll(() => node.handshakes.length).toBe(2);
    expect(upstream.dropped).toHaveLength(1);
  });

  it.each(unasked)('that sends %s with each response is kept', async (_, message) => {
    const node = await startFakeSocketNode(({ id }, socket) => {
      for (let sent = 0; sent < 5; sent += 1) socket.send(message(id));
      return '1';
    });
    const upstream = await connect(node);
    for (let call = 0; call < 10; call += 1) {
      expect(textOf(await ask(upstream.call))).toBe('1');
    }
    expect(node.handshakes).toHaveLength(1);
  });

  it('may send responses without ids to callers that have left', async () => {
    const node = await startFakeSocketNode(() => undefined);
    const upstream = await connect(node);
    const caller = new AbortController();
    const gone = Array.from({ length: 20 }, () => ask(upstream.call, 'eth_test', caller.signal));
    await expect.poll(() => node.requests.length).toBe(20);
    caller.abort();
    await Promise.all(gone);
    node.behave((_, socket) => {
      for (let sent = 0; sent < 20; sent += 1) socket.send('{"id":null,"error":{"code":1}}');
      return '"answer"';
    });
    expect(textOf(await ask(upstream.call))).toBe('"answer"');
    // The next one is the response to the only call in flight.
    node.behave((_, socket) => {
      socket.send('{"id":null,"error":{"code":1}}');
      return undefined;
    });
    expect(textOf(await ask(upstream.call))).toBe('malformed');
    expect(node.handshakes).toHaveLength(1);
  });

  it('may send the responses to callers that have left late, all in a row', async () => {
    const node = await startFakeSocketNode(() => undefined);
    const upstream = await connect(node);
    const caller = new AbortController();
    const gone = Array.from({ length: 40 }, () => ask(upstream.call, 'eth_test', caller.signal));
    await expect.poll(() => node.requests.length).toBe(40);
    caller.abort();
    await Promise.all(gone);
    node.behave((_, socket) => {
      for (const { id } of node.requests) socket.send(`{"id":${id},"result":${id}}`);
      return undefined;
    });
    expect(textOf(await ask(upstream.call))).toBe('41');
    expect(upstream.dropped).toEqual([]);
  });

  const withoutId: [what: string, message: string][] = [
    ['an error with the id null', '{"id":null,"error":{"code":-32700,"message":"parse error"}}'],
    ['an error without an id', '{"error":{"code":-32005,"message":"slow down"}}'],
    ['a result without an id', '{"jsonrpc":"2.0","result":1}'],
  ];

  it.each(withoutId)('that sends %s fails the only call in flight', async (_, message) => {
    const node = await startFakeSocketNode((__, socket) => void socket.send(message));
    const upstream = await connect(node);
    expect(await ask(upstream.call)).toMatchObject({
      cause: 'malformed',
      detail: 'response has no id',
    });
    expect(upstream.states).toEqual([[true, '']]);
    expect(upstream.dropped).toEqual([]);
  });

  it.each(withoutId)('that sends %s fails none of several calls in flight', async (_, message) => {
    let answerAll = (): void => undefined;
    const node = await startFakeSocketNode(({ id }, socket) => {
      if (id === 1) return undefined;
      answerAll = () => {
        for (const each of [id - 1, id]) socket.send(`{"id":${each},"result":${each}}`);
      };
      socket.send(message);
      return undefined;
    });
    const upstream = await connect(node);
    const calls = [ask(upstream.call), ask(upstream.call)];
    await expect.poll(() => upstream.dropped).toEqual(['response has no id']);
    answerAll();
    expect((await Promise.all(calls)).map(textOf)).toEqual(['1', '2']);
    expect(upstream.states).toEqual([[true, '']]);
  });

  it.each(withoutId)('that sends only %s is reconnected', async (_, message) => {
    const node = await startFakeSocketNode(({ id }, socket) => {
      if (id === 1) return undefined;
      // Two may be the responses to the calls.
      for (let sent = 0; sent < 18; sent += 1) socket.send(message);
      return undefined;
    });
    const upstream = await connect(node);
    const calls = [ask(upstream.call), ask(upstream.call)];
    expect((await Promise.all(calls)).map(textOf)).toEqual(['interrupted', 'interrupted']);
    await expect.poll(() => node.handshakes.length).toBe(2);
  });

  it.each([...withoutId, ['no JSON', '<html>']])(
    'that sends %s for each of many calls keeps the others',
    async (_, message) => {
      let answer = (): void => undefined;
      const node = await startFakeSocketNode(({ id, method }, socket) => {
        if (method === 'eth_refused') return void socket.send(message);
        if (method === 'eth_last') answer();
        else answer = () => socket.send(`{"jsonrpc":"2.0","id":${id},"result":"kept"}`);
        return method === 'eth_last' ? '"last"' : undefined;
      });
      const upstream = await connect(node);
      const kept = ask(upstream.call, 'eth_kept');
      const { signal } = new AbortController();
      const refused = Array.from({ length: 40 }, () => ask(upstream.call, 'eth_refused', signal));
      await expect.poll(() => node.requests.length).toBe(41);
      expect(textOf(await ask(upstream.call, 'eth_last'))).toBe('"last"');
      expect(textOf(await kept)).toBe('"kept"');
      expect(upstream.states).toEqual([[true, '']]);
      expect(node.handshakes).toHaveLength(1);
      await upstream.close();
      await Promise.all(refused);
    },
  );

  it('that floods with pongs is reconnected', async () => {
    const node = await startFakeSocketNode((_, socket) => {
      for (let sent = 0; sent < 2_000; sent += 1) socket.pong();
      return '"answer"';
    });
    const upstream = await connect(node);
    expect(textOf(await ask(upstream.call))).toBe('interrupted');
    await expect.poll(() => node.handshakes.length).toBe(2);
    expect(upstream.states).toContainEqual([false, 'the node sends too many pings or pongs']);
  });

  it('that sends hundreds of pings at once keeps its connection', async () => {
    const node = await startFakeSocketNode((_, socket) => {
      for (let sent = 0; sent < 200; sent += 1) socket.ping();
      return '1';
    });
    const upstream = await connect(node);
    expect(textOf(await ask(upstream.call))).toBe('1');
    expect(textOf(await ask(upstream.call))).toBe('1');
    expect(node.handshakes).toHaveLength(1);
  });

  it('that sends useless messages loses calls to another node without counting them', async () => {
    const nodes = [
      await startFakeSocketNode((_, socket) => {
        // Some of them may be taken for responses to probes in flight.
        for (let sent = 0; sent < 40; sent += 1) socket.send('<html>');
        return undefined;
      }),
      await startFakeSocketNode(() => '"other node"'),
    ];
    const network = await startNetwork(
      nodes.map(({ url }) => url),
      { limits: { breaker_attempts: 1, breaker_failures: 1 }, nodes: [{ tier: 1 }, { tier: 2 }] },
    );
    expect(textOf(await ask(network.stream))).toBe('"other node"');
    expect(network.outcomes).toEqual([
      ['node-0', 'interrupted'],
      ['node-1', 'result'],
    ]);
    expect(network.status()[0]).toMatchObject({ breaker: 'closed' });
    expect(network.events).toContainEqual(expect.objectContaining({ kind: 'dropped' }));
  });
});
