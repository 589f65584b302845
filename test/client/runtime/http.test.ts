import { describe, expect, test, vi } from 'vitest';
import { TransportError, RpcError } from '../../../generator/targets/client/runtime/errors.ts';
import { http } from '../../../generator/targets/client/runtime/http.ts';
import { callOf, calm, rejection, sendJson, sendResult, serveHttp } from '../servers.ts';

describe('a call over HTTP', () => {
  test('is one POST of a JSON-RPC 2.0 request', async () => {
    const requests: (string | undefined)[] = [];
    await using server = await serveHttp((response, { id }, raw) => {
      requests.push(raw.method, raw.url, raw.headers['content-type'], raw.headers['x-team']?.[0]);
      sendResult(response, id, 'ok');
    });
    const transport = http({ url: server.url, headers: { 'X-Team': 'a' } });
    await transport({ method: 'm', params: ['0x1'], notification: false }, calm);
    expect(server.seen).toEqual([{ jsonrpc: '2.0', id: 1, method: 'm', params: ['0x1'] }]);
    expect(requests).toEqual(['POST', '/v3/secret-key', 'application/json', 'a']);
  });

  test('returns the result with status and headers', async () => {
    await using server = await serveHttp((response, { id }) => sendResult(response, id, null));
    const answer = await http({ url: server.url })(callOf('m'), calm);
    expect(answer.result).toBeNull();
    expect(answer.response?.status).toBe(200);
    expect(answer.response?.headers.get('x-credits-cost')).toBe('80');
  });

  test.each([200, 402, 429, 503])(
    'rejects with an RPC error whatever the status (%i)',
    async (status) => {
      const error = { code: 402, message: 'daily credits exhausted', data: { reason: 'x' } };
      await using server = await serveHttp((response, { id }) =>
        sendJson(response, status, { jsonrpc: '2.0', id, error }),
      );
      const thrown = await rejection(http({ url: server.url })(callOf('m'), calm));
      expect(thrown).toBeInstanceOf(RpcError);
      expect(thrown).toMatchObject({ ...error, status, response: { status } });
    },
  );

  test('rejects with an error whose id is null: the server could not parse the request', async () => {
    const error = { code: -32700, message: 'parse error' };
    await using server = await serveHttp((response) =>
      sendJson(response, 400, { jsonrpc: '2.0', id: null, error }),
    );
    const thrown = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(thrown).toMatchObject({ ...error, status: 400 });
  });

  test('reads text that is split inside a character', async () => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '€' }));
    await using server = await serveHttp((response) => {
      const middle = body.indexOf(0xe2) + 1;
      response.write(body.subarray(0, middle), () => {
        setImmediate(() => response.end(body.subarray(middle)));
      });
    });
    expect((await http({ url: server.url })(callOf('m'), calm)).result).toBe('€');
  });
});

describe('a notification over HTTP', () => {
  test('has no id and accepts an empty 204', async () => {
    await using server = await serveHttp((response) => response.writeHead(204).end());
    const answer = await http({ url: server.url })(callOf('m', true), calm);
    expect(answer.result).toBeUndefined();
    expect(server.seen).toEqual([{ jsonrpc: '2.0', method: 'm', params: [] }]);
  });

  test('fails on a status other than 2xx', async () => {
    await using server = await serveHttp((response) => response.writeHead(502).end('bad gateway'));
    const error = await rejection(http({ url: server.url })(callOf('m', true), calm));
    expect(error).toMatchObject({ reason: 'http_status', status: 502 });
  });
});

describe('an invalid response', () => {
  const cases = [
    ['HTML with status 200', 200, '<html>login</html>', 'not_json'],
    ['an empty body with status 200', 200, '', 'not_json'],
    ['half of a body', 200, '{"jsonrpc":"2.0","id":1,"resu', 'not_json'],
    ['a string', 200, '"hello"', 'not_json_rpc'],
    ['null', 200, 'null', 'not_json_rpc'],
    ['neither result nor error', 200, '{"jsonrpc":"2.0","id":1}', 'not_json_rpc'],
    ['a call', 200, '{"jsonrpc":"2.0","id":1,"method":"m"}', 'not_json_rpc'],
    ['an error that is a string', 200, '{"id":1,"error":"no"}', 'not_json_rpc'],
    ['an error without a code', 200, '{"id":1,"error":{"message":"no"}}', 'not_json_rpc'],
    ['the id of another call', 200, '{"jsonrpc":"2.0","id":77,"result":1}', 'not_json_rpc'],
    ['a result without an id', 200, '{"jsonrpc":"2.0","id":null,"result":1}', 'not_json_rpc'],
    ['HTML with status 502', 502, '<html>bad gateway</html>', 'http_status'],
    ['a result with status 500', 500, '{"jsonrpc":"2.0","id":1,"result":1}', 'http_status'],
    ['other JSON with status 404', 404, '{"message":"no route"}', 'http_status'],
  ] as const;

  test.each(cases)('is a TransportError: %s', async (_, status, body, reason) => {
    await using server = await serveHttp((response) => response.writeHead(status).end(body));
    const error = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ reason, status });
    expect(String(error)).toContain(new URL(server.url).origin);
  });

  test('is a redirect, which is not followed to another host', async () => {
    await using other = await serveHttp((response, { id }) => sendResult(response, id, 1));
    await using server = await serveHttp((response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    const transport = http({ url: server.url, headers: { 'x-api-key': 'secret' } });
    const error = await rejection(transport(callOf('m'), calm));
    expect(error).toMatchObject({ reason: 'http_status', status: 307 });
    expect(other.seen).toEqual([]);
  });

  test('is rejected if it is larger than the limit', async () => {
    await using server = await serveHttp((response, { id }) =>
      sendResult(response, id, 'x'.repeat(2000)),
    );
    const error = await rejection(
      http({ url: server.url, maxResponseBytes: 1000 })(callOf('m'), calm),
    );
    expect(error).toMatchObject({ reason: 'response_too_large' });
  });

  test('is unreachable if no server listens, and keeps the cause', async () => {
    const server = await serveHttp(() => {});
    await server[Symbol.asyncDispose]();
    const error = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(error).toMatchObject({ reason: 'unreachable', cause: expect.any(TypeError) });
  });

  test('is unreachable if the connection breaks', async () => {
    await using server = await serveHttp((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"jsonrpc"', () => response.destroy());
    });
    const error = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(error).toMatchObject({ reason: 'unreachable' });
  });

  test('shows the start of a page, and does not search the rest of it for the path', async () => {
    const path = '/v3/secret-key';
    await using page = await serveHttp((response) => {
      response.writeHead(500).end(path.repeat(10_000));
    });
    const splits: unknown[] = [];
    const { split } = String.prototype;
    const spy = vi.spyOn(String.prototype, 'split').mockImplementation(function (
      this: string,
      ...given: Parameters<typeof split>
    ) {
      const parts = Reflect.apply(split, this, given) as string[];
      if ((given[0] as unknown) === path) splits.push(parts.length);
      return parts;
    });
    const error = await rejection(http({ url: page.url })(callOf('m'), calm));
    spy.mockRestore();
    expect(error).toMatchObject({ message: expect.stringMatching(/ HTTP 500: "\/{99}"$/) });
    expect(splits).toEqual([100]);
  });

  test('has a short name, however long the reason of the server is', async () => {
    const error = { code: -32_000, message: 'm', data: { reason: 'a_'.repeat(10_000) } };
    await using server = await serveHttp((response, { id }) =>
      sendJson(response, 200, { jsonrpc: '2.0', id, error }),
    );
    const thrown = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(thrown).toMatchObject({ name: `${'A'.repeat(50)}Error`, ...error });
  });

  test('never shows the key in the URL', async () => {
    const server = await serveHttp(() => {});
    await server[Symbol.asyncDispose]();
    const error = await rejection(http({ url: server.url })(callOf('m'), calm));
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('secret-key');
    await using page = await serveHttp((response, _, { url }) => {
      response.writeHead(301).end(`Redirecting to ${url}/ and ${url}`);
    });
    expect(await rejection(http({ url: page.url })(callOf('m'), calm))).toMatchObject({
      message: expect.stringMatching(/ HTTP 301: "Redirecting to \/\/ and \/"$/),
    });
    expect(() => http({ url: 'not a url/secret-key' })).toThrow(/^url: expected http/);
    expect(() => http({ url: 'ftp://h/secret-key' })).toThrow(/^url: expected http/);
  });
});

test('an aborted HTTP call rejects with the signal’s reason and aborts the request', async () => {
  const controller = new AbortController();
  let onClosed: () => void;
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  await using server = await serveHttp((response) => {
    response.on('close', () => onClosed());
    controller.abort('enough');
  });
  const { signal } = controller;
  expect(await rejection(http({ url: server.url })(callOf('m'), { ...calm, signal }))).toBe(
    'enough',
  );
  await closed;
});

test('a custom fetch can be passed', async () => {
  const transport = http({
    url: 'https://example.test/',
    fetch: async () => new Response('{"jsonrpc":"2.0","id":1,"result":"mine"}'),
  });
  expect((await transport(callOf('m'), calm)).result).toBe('mine');
});

test.each([
  ['maxInFlight', 0],
  ['maxWaiting', -1],
  ['maxResponseBytes', Number.NaN],
  ['size', 0],
  ['waitMs', -1],
])('an invalid limit is rejected by name: %s', (name, value) => {
  const option = { [name]: value };
  expect(() => http({ url: 'http://h/', ...option, batch: option })).toThrow(
    new RegExp(`^${name}: expected `),
  );
});

test('a fractional limit is rounded down', async () => {
  let open = 0;
  let most = 0;
  const transport = http({
    url: 'https://example.test/',
    batch: false,
    maxInFlight: 1.5,
    fetch: async (_, { body }) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return new Response(JSON.stringify({ ...(JSON.parse(body) as object), result: 'ok' }));
    },
  });
  await Promise.all(['a', 'b', 'c'].map((method) => transport(callOf(method), calm)));
  expect(most).toBe(1);
});
