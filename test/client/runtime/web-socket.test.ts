import { describe, expect, test, vi } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import { TransportError } from '../../../generator/targets/client/runtime/errors.ts';
import type { SocketConstructor } from '../../../generator/targets/client/runtime/socket.ts';
import { webSocket } from '../../../generator/targets/client/runtime/web-socket.ts';
import { callOf, calm, rejection, type SeenRequest, serveHttp, serveSocket } from '../servers.ts';

const resultOf = ({ id }: SeenRequest, result: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

/** Puts the clock forward, until it is disposed. Timers are not affected. */
function skipTime(durationMs: number): Disposable {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + durationMs });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

const sockets: readonly [string, SocketConstructor | undefined][] = [
  ['the runtime’s own WebSocket', undefined],
  ['that of the ws package', WsWebSocket],
];

describe.each(sockets)('calls over a WebSocket, %s', (_, WebSocket) => {
  test('share one socket, opened by the first, and are matched by id', async () => {
    const waiting: SeenRequest[] = [];
    await using server = await serveSocket((socket, request) => {
      waiting.push(request);
      if (waiting.length < 3) return;
      for (const each of waiting.reverse()) socket.send(resultOf(each, each.method));
    });
    const transport = webSocket({ url: server.url, WebSocket });
    expect(server.opened()).toBe(0);
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((method) => transport(callOf(method), calm)),
    );
    expect(answers.map(({ result }) => result)).toEqual(['a', 'b', 'c']);
    expect(server.opened()).toBe(1);
    transport.close();
  });

  test('are rejected with code and reason when the socket closes', async () => {
    await using server = await serveSocket((socket) => socket.close(1008, 'key revoked'));
    const transport = webSocket({ url: server.url, WebSocket });
    const errors = await Promise.all(
      ['a', 'b'].map((method) => rejection(transport(callOf(method), calm))),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({ reason: 'closed' });
      expect(String(error)).toContain(new URL(server.url).origin);
      expect(String(error)).toContain('1008 key revoked');
    }
  });

  test('are rejected when the connection is lost', async () => {
    await using server = await serveSocket((socket) => socket.terminate());
    const transport = webSocket({ url: server.url, WebSocket });
    expect(await rejection(transport(callOf('a'), calm))).toMatchObject({ reason: 'closed' });
  });

  test('reconnect after a disconnect', async () => {
    await using server = await serveSocket((socket, request) => {
      if (request.method === 'drop') socket.close();
      else socket.send(resultOf(request, 'back'));
    });
    const transport = webSocket({ url: server.url, WebSocket });
    await rejection(transport(callOf('drop'), calm));
    expect((await transport(callOf('a'), calm)).result).toBe('back');
    expect(server.opened()).toBe(2);
    transport.close();
  });

  test('are unreachable if the upgrade is rejected', async () => {
    await using server = await serveHttp(() => {});
    server.onUpgrade('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    const transport = webSocket({ url: server.url.replace('http:', 'ws:'), WebSocket });
    const errors = await Promise.all(
      ['a', 'b'].map((method) => rejection(transport(callOf(method), calm))),
    );
    for (const error of errors) expect(error).toMatchObject({ reason: 'unreachable' });
    expect(String(errors[0])).not.toContain('secret-key');
  });

  test('are rejected by close() and afterwards', async () => {
    await using server = await serveSocket(() => {});
    const transport = webSocket({ url: server.url, WebSocket });
    const call = rejection(transport(callOf('a'), calm));
    await expect.poll(() => server.seen.length).toBe(1);
    transport.close();
    expect(await call).toMatchObject({ reason: 'closed' });
    expect(await rejection(transport(callOf('b'), calm))).toMatchObject({ reason: 'closed' });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('are rejected by a response over the limit', async () => {
    await using server = await serveSocket((socket, request) =>
      socket.send(resultOf(request, 'x'.repeat(1000))),
    );
    const transport = webSocket({ url: server.url, WebSocket, maxResponseBytes: 1000 });
    const error = await rejection(transport(callOf('a'), calm));
    expect(error).toMatchObject({ reason: 'response_too_large', retryable: false });
    expect(String(error)).toContain('exceeded maxResponseBytes (1000)');
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('close a socket without a message for connectTimeoutMs, once the last of them is aborted', async () => {
    await using server = await serveSocket((socket, request) => {
      if (request.method === 'a') socket.send(resultOf(request, 'ok'));
      else socket.send('"the start of a message', { fin: false });
    });
    const transport = webSocket({ url: server.url, WebSocket, batch: false });
    await transport(callOf('a'), calm);
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) =>
      rejection(transport(callOf('b'), { ...calm, signal })),
    );
    await expect.poll(() => server.seen.length).toBe(3);
    using _clock = skipTime(10_000);
    controllers[0]!.abort('enough');
    await calls[0];
    expect(server.sockets.size).toBe(1);
    controllers[1]!.abort('enough');
    expect(await calls[1]).toBe('enough');
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('keep a socket that has sent a message within connectTimeoutMs', async () => {
    await using server = await serveSocket((socket, request) => {
      if (request.method === 'a') socket.send(resultOf(request, 'ok'));
    });
    const transport = webSocket({ url: server.url, WebSocket, batch: false });
    const controller = new AbortController();
    const slow = rejection(transport(callOf('b'), { ...calm, signal: controller.signal }));
    await expect.poll(() => server.seen.length).toBe(1);
    using _clock = skipTime(10_000);
    await transport(callOf('a'), calm);
    controller.abort();
    await slow;
    await transport(callOf('a'), calm);
    expect(server.opened()).toBe(1);
    transport.close();
  });

  test('are rejected by close() while the socket opens', async () => {
    await using server = await serveSocket(() => {});
    const transport = webSocket({ url: server.url, WebSocket });
    const call = rejection(transport(callOf('a'), calm));
    transport.close();
    expect(await call).toMatchObject({ reason: 'closed' });
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

test('a response over the limit is rejected by the ws package before it is whole', async () => {
  await using server = await serveSocket((socket) => {
    for (let piece = 0; piece < 3; piece += 1) socket.send('x'.repeat(500), { fin: false });
  });
  const transport = webSocket({ url: server.url, WebSocket: WsWebSocket, maxResponseBytes: 1000 });
  expect(await rejection(transport(callOf('a'), calm))).toMatchObject({
    reason: 'response_too_large',
    retryable: false,
  });
});

describe('a response over a WebSocket', () => {
  test.each([
    ['not JSON', 'hello', 'not_json'],
    ['a binary message', Buffer.from('{"id":1,"result":1}'), 'not_json'],
  ])('that is %s ends the socket and rejects calls in flight', async (_, message, reason) => {
    await using server = await serveSocket((socket) => socket.send(message));
    const transport = webSocket({ url: server.url });
    expect(await rejection(transport(callOf('a'), calm))).toMatchObject({ reason });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('is not confused with a call of the server, which is ignored', async () => {
    await using server = await serveSocket((socket, request) => {
      socket.send('{"jsonrpc":"2.0","method":"subscription","params":{}}');
      socket.send(resultOf(request, 'ok'));
    });
    const transport = webSocket({ url: server.url });
    expect((await transport(callOf('a'), calm)).result).toBe('ok');
    transport.close();
  });

  test('with an error rejects its call', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x' };
    await using server = await serveSocket((socket, { id }) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error })),
    );
    const transport = webSocket({ url: server.url });
    expect(await rejection(transport(callOf('a'), calm))).toMatchObject(error);
    transport.close();
  });

  test('with an error without an id rejects the only call in flight', async () => {
    const error = { code: -32600, message: 'request too large' };
    await using server = await serveSocket((socket) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: null, error })),
    );
    const transport = webSocket({ url: server.url });
    expect(await rejection(transport(callOf('a'), calm))).toMatchObject(error);
    transport.close();
  });

  test('with an error without an id is the cause of the next close if several calls are in flight', async () => {
    const error = { code: 401, message: 'the API key was revoked' };
    await using server = await serveSocket((socket, { method }) => {
      if (method === 'a') return;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
      socket.close(1008);
    });
    const transport = webSocket({ url: server.url, batch: false });
    const errors = await Promise.all(
      ['a', 'b'].map((method) => rejection(transport(callOf(method), calm))),
    );
    for (const each of errors) expect(each).toMatchObject({ reason: 'closed', cause: error });
  });

  test('to an aborted call is ignored', async () => {
    const held: (() => void)[] = [];
    await using server = await serveSocket((socket, request) => {
      if (request.method === 'slow') held.push(() => socket.send(resultOf(request, 'late')));
      else socket.send(resultOf(request, 'ok'));
    });
    const transport = webSocket({ url: server.url });
    const controller = new AbortController();
    const slow = rejection(transport(callOf('slow'), { ...calm, signal: controller.signal }));
    await expect.poll(() => held.length).toBe(1);
    controller.abort('enough');
    expect(await slow).toBe('enough');
    held[0]!();
    expect((await transport(callOf('a'), calm)).result).toBe('ok');
    transport.close();
  });
});

test('a notification over a WebSocket has no id and resolves at once', async () => {
  await using server = await serveSocket(() => {});
  const transport = webSocket({ url: server.url });
  expect(await transport(callOf('note', true), calm)).toEqual({
    result: undefined,
    response: null,
  });
  await expect.poll(() => server.seen).toEqual([{ jsonrpc: '2.0', method: 'note', params: [] }]);
  transport.close();
});

test('calls beyond the limit wait', async () => {
  let inFlight = 0;
  let most = 0;
  const held: (() => void)[] = [];
  await using server = await serveSocket((socket, request) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    held.push(() => {
      inFlight -= 1;
      socket.send(resultOf(request, null));
    });
    if (held.length < 3) return;
    setImmediate(() => {
      for (const answer of held.splice(0)) answer();
    });
  });
  const transport = webSocket({ url: server.url, maxInFlight: 3 });
  await Promise.all(Array.from({ length: 21 }, () => transport(callOf('a'), calm)));
  expect(most).toBe(3);
  transport.close();
});

test('an error of the WebSocket constructor is unreachable', async () => {
  const refusing = function refuse() {
    throw new Error('blocked');
  } as unknown as SocketConstructor;
  const transport = webSocket({ url: 'ws://h/secret-key', WebSocket: refusing });
  const error = await rejection(transport(callOf('a'), calm));
  expect(error).toMatchObject({ reason: 'unreachable', cause: new Error('blocked') });
  expect(String(error)).not.toContain('secret-key');
});

test('a socket that does not open in time is closed', async () => {
  await using server = await serveHttp(() => {});
  server.onUpgrade('');
  const url = server.url.replace('http:', 'ws:');
  const transport = webSocket({ url, connectTimeoutMs: 20 });
  const error = await rejection(transport(callOf('a'), calm));
  expect(error).toMatchObject({ reason: 'unreachable' });
  expect(String(error)).toContain('20 ms');
});

test('a fractional limit is rounded down', async () => {
  await using server = await serveSocket((socket, request) => {
    setImmediate(() => socket.send(resultOf(request, server.seen.length)));
  });
  const transport = webSocket({ url: server.url, maxInFlight: 1.5 });
  const answers = await Promise.all(['a', 'b', 'c'].map((each) => transport(callOf(each), calm)));
  expect(answers.map(({ result }) => result)).toEqual([1, 2, 3]);
  transport.close();
});
