import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevnetNode, NodeError, startNodeServer } from '../../src/devnet/node-server.ts';

const methods: Record<string, (params: unknown) => unknown> = {
  echo: (params) => params,
  big: () => ({ rentEpoch: 18446744073709551615n }),
  later: async () => 'done',
  nothing: () => undefined,
  refuse: () => {
    throw new NodeError(-32016, 'not yet', { contextSlot: 7 });
  },
  refuseBare: () => {
    throw new NodeError(-32602, 'no');
  },
  crash: () => {
    throw new TypeError('a secret');
  },
};

let node: DevnetNode;
beforeAll(async () => {
  node = await startNodeServer({
    name: 'test',
    handle: (method, params) => {
      const answer = methods[method];
      if (answer === undefined) throw new NodeError(-32601, 'Method not found');
      return answer(params);
    },
  });
});
afterAll(() => node.stop());

async function post(body: string | object, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(node.httpUrl, { method: 'POST', body: text, ...init });
}
const call = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

test('listens on 127.0.0.1 only and has a name', () => {
  expect(node).toMatchObject({ name: 'test' });
  expect(new URL(node.httpUrl).hostname).toBe('127.0.0.1');
});

test.each([
  ['a result', call('echo', [1]), '{"jsonrpc":"2.0","result":[1],"id":1}'],
  ['a promised result', call('later'), '{"jsonrpc":"2.0","result":"done","id":1}'],
  ['a missing result as null', call('nothing'), '{"jsonrpc":"2.0","result":null,"id":1}'],
  ['a string id', call('later', [], 'a'), '{"jsonrpc":"2.0","result":"done","id":"a"}'],
  ['a null id', call('later', [], null), '{"jsonrpc":"2.0","result":"done","id":null}'],
  [
    'a bigint as the exact integer',
    call('big'),
    '{"jsonrpc":"2.0","result":{"rentEpoch":18446744073709551615},"id":1}',
  ],
  [
    "a node's error with its data",
    call('refuse'),
    '{"jsonrpc":"2.0","error":{"code":-32016,"message":"not yet","data":{"contextSlot":7}},"id":1}',
  ],
  [
    "a node's error without data",
    call('refuseBare'),
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"},"id":1}',
  ],
  [
    'an unknown method',
    call('other'),
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
  ],
  [
    'an unexpected error without its text',
    call('crash'),
    '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":1}',
  ],
  [
    'text that is not JSON',
    '{"jsonrpc":',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
  ],
  [
    'a body that is not a request',
    '17',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}',
  ],
  [
    'a request without a method, echoing its id',
    { jsonrpc: '2.0', id: 4 },
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":4}',
  ],
  [
    'params that are neither array nor object',
    call('echo', 'x', 5),
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":5}',
  ],
  [
    'an invalid id as null',
    call('later', [], { a: 1 }),
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}',
  ],
  [
    'an empty batch',
    '[]',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}',
  ],
  ['a notification with nothing', { jsonrpc: '2.0', method: 'later' }, ''],
  [
    'a batch in its order, notifications left out',
    [call('echo', ['a'], 1), { jsonrpc: '2.0', method: 'later' }, 3, call('other', [], 2)],
    '[{"jsonrpc":"2.0","result":["a"],"id":1},' +
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null},' +
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":2}]',
  ],
] as const)('answers %s', async (_name, body, expected) => {
  const response = await post(body);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(expected);
});

test('echoes an id and params beyond 2^53 digit for digit', async () => {
  const response = await post(
    '{"jsonrpc":"2.0","id":18446744073709551615,"method":"echo","params":[9007199254740993]}',
  );
  expect(await response.text()).toBe(
    '{"jsonrpc":"2.0","result":[9007199254740993],"id":18446744073709551615}',
  );
});

test('refuses a body over its limit with 413', async () => {
  const response = await post('x'.repeat(2 * 1024 * 1024 + 1));
  expect(response.status).toBe(413);
});

test('answers only POST', async () => {
  expect((await fetch(node.httpUrl)).status).toBe(405);
});

test('rejects when its port is in use', async () => {
  const port = Number(new URL(node.httpUrl).port);
  await expect(startNodeServer({ name: 'second', port, handle: () => 1 })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

test('stop closes even a connection with a call in flight', async () => {
  const received = Promise.withResolvers<void>();
  const handle = (): Promise<unknown> => {
    received.resolve();
    return new Promise(() => {});
  };
  const stuck = await startNodeServer({ name: 'stuck', handle });
  const pending = fetch(stuck.httpUrl, { method: 'POST', body: JSON.stringify(call('wait')) });
  const outcome = pending.then(
    () => 'answered',
    () => 'cut',
  );
  await received.promise;
  await stuck.stop();
  expect(await outcome).toBe('cut');
});
