import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { CALL, error as anyError, hit } from '../support/envelope-cases.ts';
import { post, type RpcAnswer } from '../support/wire.ts';

/** Sends bytes as they are and returns what the server sends back. */
async function raw(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.setTimeout(10_000, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

/** Opens a WebSocket; returns the status of the answer to the upgrade, and closes it. */
async function upgrade(address: string): Promise<number | undefined> {
  const socket = new WebSocket(address);
  const [response] = await Promise.race([
    once(socket, 'upgrade') as Promise<[IncomingMessage]>,
    once(socket, 'unexpected-response').then(
      ([, refused]) => [refused as IncomingMessage] as const,
    ),
  ]);
  socket.on('error', () => undefined).terminate();
  return response.statusCode;
}

describe('the edges of HTTP', () => {
  const url = (): string => inject('product').networks.evm.http;
  const good = `{"jsonrpc":"2.0","id":1,${CALL}}`;

  test.each(['PUT', 'DELETE', 'PATCH', 'GET'])(
    '%s is 405 and lists the allowed methods',
    async (method) => {
      const response = await fetch(url(), { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toContain('POST');
      expect(await response.json()).toEqual(anyError(-32600));
    },
  );

  test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['']])(
    'a Content-Type of "%s" is 415 with the expected type',
    async (type) => {
      const response = await fetch(url(), {
        method: 'POST',
        headers: type === '' ? {} : { 'content-type': type },
        body: Buffer.from(good),
      });
      expect(response.status).toBe(415);
      expect(await response.text()).toContain('application/json');
    },
  );

  test.each([
    ['application/json; charset=utf-8'],
    ['Application/JSON'],
    ['application/json;charset=UTF-8'],
  ])('a Content-Type of "%s" is JSON', async (type) => {
    expect((await post(url(), good, { 'content-type': type })).json).toEqual(hit(1));
  });

  test('one trailing slash is tolerated, two are not', async () => {
    expect((await post(`${url()}/`, good)).json).toEqual(hit(1));
    expect((await post(`${url()}//`, good)).status).not.toBe(200);
  });

  test('another version segment is 404', async () => {
    for (const version of ['v2', 'v4', 'V3', '']) {
      expect((await post(url().replace('/v3/', `/${version}/`), good)).status, version).toBe(404);
    }
  });

  test('a body over 1 MiB is 413, one of exactly 1 MiB is read', async () => {
    const pad = (size: number): string => good.slice(0, -1) + ' '.repeat(size - good.length) + '}';
    expect((await post(url(), pad(1024 * 1024))).json).toEqual(hit(1));
    const over = await post(url(), pad(1024 * 1024 + 1));
    expect(over.status).toBe(413);
    expect(over.json).toEqual(anyError(-32600));
  });

  test.each([
    ['a missing key', (u: string) => u.replace(/\/[^/]*$/, '/'), 'key_missing'],
    ['an unknown key', (u: string) => u.replace(/[^/]*$/, `sg_${'a'.repeat(43)}`), 'key_unknown'],
    ['a malformed key', (u: string) => u.replace(/[^/]*$/, 'no%20key%00'), 'key_malformed'],
  ])('%s is 401 with code 401 and a reason', async (_, change, reason) => {
    const got = await post(change(url()), good);
    expect(got.status).toBe(401);
    expect((got.json as RpcAnswer).error?.code).toBe(401);
    expect((got.json as RpcAnswer).error?.data).toMatchObject({ reason });
  });

  test('a WebSocket is opened at /ws/v3/<key> alone, and only with a key that is known', async () => {
    const { ws } = inject('product').networks.evm;
    expect(await upgrade(ws)).toBe(101);
    for (const path of ['/v3/demo', '/ws/v2/demo', '/ws/demo', '/ws/v3/demo/more'])
      expect(await upgrade(new URL(path, ws).href), path).toBe(404);
    for (const path of ['/ws/v3/', '/ws/v3/unknown', '/ws/v3/?key=demo'])
      expect(await upgrade(new URL(path, ws).href), path).toBe(401);
  });

  test('a key in a header is not a key', async () => {
    const got = await post(url().replace(/[^/]*$/, ''), good, {
      authorization: 'Bearer demo',
      'x-api-key': 'demo',
    });
    expect(got.status).toBe(401);
    expect((got.json as RpcAnswer).error?.data).toMatchObject({ reason: 'key_missing' });
  });

  test('browsers may call it: the preflight and the headers, on errors too', async () => {
    const preflight = await fetch(url(), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,solana-client',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'solana-client',
    );
    for (const body of [good, 'nonsense']) {
      const { headers } = await post(url(), body, { origin: 'https://app.example' });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-request-id');
    }
  });

  test('every response has a request id, which an error repeats in its data', async () => {
    const failed = await post(url(), '{}');
    const id = failed.headers.get('x-request-id');
    expect(id).toMatch(/\S{8,}/);
    expect((failed.json as RpcAnswer).error?.data).toMatchObject({ requestId: id });
    expect((await post(url(), good)).headers.get('x-request-id')).not.toBe(id);
  });

  test('an unknown method names the one that was meant, or the networks that have it', async () => {
    const ask = async (address: string, method: string): Promise<string | undefined> => {
      const { json } = await post(address, `{"jsonrpc":"2.0","id":1,"method":"${method}"}`);
      return (json as RpcAnswer).error?.message;
    };
    const unavailable = (method: string, hint: string): string =>
      `the method ${method} does not exist/is not available; ${hint}`;
    const { solana } = inject('product').networks;
    expect(await ask(url(), 'eth_getBlockByNumbr')).toBe(
      unavailable('eth_getBlockByNumbr', 'did you mean eth_getBlockByNumber?'),
    );
    expect(await ask(url(), 'getProgramAccounts')).toBe(
      unavailable('getProgramAccounts', 'network solana has it'),
    );
    expect(await ask(solana.http, 'eth_chainId')).toBe(
      unavailable('eth_chainId', 'the networks evm, archive have it'),
    );
  });

  test('an error has the headers of the account, a 401 only the request id', async () => {
    const bad = '{"jsonrpc":"2.0","id":1,"method":"no_such_method"}';
    for (const [key, hasAccount] of [
      ['demo', true],
      ['no-such-key', false],
    ] as const) {
      const { status, headers } = await post(url().replace(/[^/]*$/, key), bad);
      expect(status).toBe(hasAccount ? 200 : 401);
      for (const name of ['ratelimit', 'ratelimit-policy', 'x-credits-cost']) {
        expect(headers.has(name), `${key}: ${name}`).toBe(hasAccount);
      }
      expect(headers.get('x-request-id')).toMatch(/\S{8,}/);
    }
  });

  test('the document is served by rpc.discover and by GET', async () => {
    const discovered = (await post(url(), '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'))
      .json as RpcAnswer;
    const fetched = (await (await fetch(url().replace(/[^/]*$/, 'openrpc.json'))).json()) as {
      info: { version: string };
    };
    expect(discovered.result).toEqual(fetched);
    expect(fetched.info.version).toMatch(/^3\./);
  });

  test('a body that is compressed or in another charset is 415', async () => {
    for (const headers of [
      { 'content-encoding': 'gzip' },
      { 'content-type': 'application/json; charset=utf-16' },
    ]) {
      expect((await post(url(), good, headers)).status).toBe(415);
    }
  });

  test.each([
    [
      'that offers HTTP/2 by upgrade',
      'POST {path} HTTP/1.1',
      [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
      ],
    ],
    ['with the whole address as its target', 'POST {url} HTTP/1.1', []],
    [
      'that expects what the service does not know',
      'POST {path} HTTP/1.1',
      ['Expect: the-unexpected'],
    ],
  ])('a request %s is answered', async (_, line, extra) => {
    const { pathname, href } = new URL(url());
    const head = [
      line.replace('{path}', pathname).replace('{url}', href),
      'Host: x',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${good.length}`,
      ...extra,
    ];
    const text = await raw(url(), `${head.join('\r\n')}\r\n\r\n${good}`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toContain('"result":null');
  });

  test.each([
    ['bytes that are not HTTP', 'NONSENSE\r\n\r\n', 400, 'http_malformed'],
    [
      'headers without end',
      `POST / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
      431,
      'http_headers_too_large',
    ],
    [
      'a WebSocket handshake without its key',
      'GET /ws/v3/demo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      400,
      'http_malformed',
    ],
    [
      'a WebSocket handshake by POST',
      'POST /ws/v3/demo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      405,
      'http_method_not_allowed',
    ],
  ])('%s are refused in JSON that browsers may read', async (_, bytes, status, reason) => {
    const text = await raw(url(), bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text.toLowerCase()).toContain('access-control-allow-origin: *');
    expect(text.toLowerCase()).toContain('x-request-id: ');
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({
      error: { code: -32600, data: { reason } },
    });
  });
});
