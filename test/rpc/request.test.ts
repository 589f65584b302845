import { describe, expect, it } from 'vitest';
import type { Method } from '../../src/rpc/call.ts';
import { errorOf, send } from './support.ts';

const ok = (id: unknown, result: unknown): object => ({ jsonrpc: '2.0', id, result });
const failure = (id: unknown, code: number): object => ({
  jsonrpc: '2.0',
  id,
  error: expect.objectContaining({ code }) as unknown,
});

describe('a single request', () => {
  const answered: [text: string, status: number, body: unknown][] = [
    ['{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}', 200, ok(1, 19)],
    ['{"jsonrpc":"2.0","method":"subtract","params":[23,42],"id":"x"}', 200, ok('x', -19)],
    ['{"jsonrpc":"2.0","method":"echo","id":null}', 200, ok(null, [])],
    ['{"jsonrpc":"2.0","method":"echo","params":[1],"id":-1.5e2}', 200, ok(-150, [1])],
    ['{"jsonrpc":"2.0","m\\u0065thod":"\\u0065cho","id":2}', 200, ok(2, [])],
    ['{"id":1,"jsonrpc":"2.0","method":"echo","id":3}', 200, ok(3, [])],
    ['{"jsonrpc":"2.0","method":"foobar","id":"1"}', 200, failure('1', -32601)],
    ['{"jsonrpc":"2.0","method":"fail","id":1}', 200, failure(1, -32000)],
    ['{"jsonrpc":"2.0","method":"echo","params":{"a":1},"id":1}', 200, failure(1, -32602)],
    ['{"jsonrpc":"2.0","method":"foobar, "params":"bar","baz]', 400, failure(null, -32700)],
    ['', 400, failure(null, -32700)],
    ['{"jsonrpc":"2.0","method":"echo","id":1} x', 400, failure(null, -32700)],
    [
      `{"jsonrpc":"2.0","method":"echo","id":1,"params":${'['.repeat(64)}${']'.repeat(64)}}`,
      400,
      failure(null, -32700),
    ],
    ['{"jsonrpc":"2.0","method":1,"params":"bar"}', 400, failure(null, -32600)],
    ['{"jsonrpc":"2.0","method":"echo","params":"bar","id":1}', 400, failure(1, -32600)],
    ['{"jsonrpc":"2.0","method":"echo","params":null,"id":1}', 400, failure(1, -32600)],
    ['{}', 400, failure(null, -32600)],
    ['{"method":"echo","id":7}', 400, failure(7, -32600)],
    ['{"jsonrpc":"1.0","method":"echo","id":7}', 400, failure(7, -32600)],
    ['{"jsonrpc":2.0,"method":"echo","id":7}', 400, failure(7, -32600)],
    ['{"jsonrpc":"2.0","id":7}', 400, failure(7, -32600)],
    ['{"jsonrpc":"2.0","method":"echo","id":true}', 400, failure(null, -32600)],
    ['{"jsonrpc":"2.0","method":"echo","id":[1]}', 400, failure(null, -32600)],
    ['{"jsonrpc":"2.0","method":"echo","id":{}}', 400, failure(null, -32600)],
    ['"text"', 400, failure(null, -32600)],
    ['1', 400, failure(null, -32600)],
    ['null', 400, failure(null, -32600)],
  ];

  it.each(answered)('%s is answered with status %i', async (text, status, body) => {
    expect(await send(text)).toMatchObject({ status, body });
  });

  it('of more than 64 members is rejected at the first one too many', async () => {
    const members = '"a":1,'.repeat(62);
    const call = '"jsonrpc":"2.0","method":"echo"';
    expect(await send(`{${members}${call}}`)).toMatchObject({ status: 204 });
    expect(await send(`{${members}${call},"id":1,unread`)).toMatchObject({
      status: 400,
      body: {
        id: null,
        error: { code: -32700, data: { detail: expect.stringMatching(/^more than 64 members/) } },
      },
    });
  });

  it('of an unknown method is compared with few names, however many methods there are', async () => {
    let compared = 0;
    class CountedMethods extends Map<string, Method> {
      override *keys(): MapIterator<string> {
        for (const name of super.keys()) {
          compared += 1;
          yield name;
        }
      }
    }
    const methods = new CountedMethods();
    for (let index = 1; index <= 100_000; index += 1) {
      const name = `${'x'.repeat(40)}${index}`;
      methods.set(name, { name, validateParams: () => [] });
    }
    const { body } = await send(`{"jsonrpc":"2.0","id":1,"method":"${'y'.repeat(44)}"}`, {
      methods,
    });
    expect(body).toMatchObject(failure(1, -32601));
    expect(compared).toBeLessThan(10_000);
  });

  it('has its id echoed byte for byte', async () => {
    for (const id of ['9007199254740993', '1.0', '1e3', '"\\u00e9\\/"', '-0', '"é"', 'null']) {
      const { text } = await send(`{"jsonrpc":"2.0","id": ${id} ,"method":"echo"}`);
      expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":[]}`);
    }
  });

  it('has its params and its result passed on byte for byte', async () => {
    const params = '[ 18446744073709551615 , {"b":1.0,"a":"\\u0041"} ]';
    const { text } = await send(`{"jsonrpc":"2.0","id":1,"method":"echo","params": ${params}}`);
    expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":${params}}`);
  });

  it('without an id is a notification, which is never answered', async () => {
    for (const member of ['"method":"echo"', '"method":"none"', '"method":"echo","params":{}']) {
      const reply = await send(`{"jsonrpc":"2.0",${member}}`);
      expect(reply).toMatchObject({ status: 204, text: '', credits: 0 });
    }
  });

  it('gets a list of what is wrong with its params, and where', async () => {
    const reply = await send('{"jsonrpc":"2.0","id":1,"method":"numbers","params":["x"]}');
    expect(errorOf(reply)).toMatchObject({
      code: -32602,
      message: 'invalid params: a must be a number',
      data: { reason: 'invalid_params', requestId: 'r-1', violations: [{ pointer: '/0' }] },
    });
  });

  it('gets at most 32 violations', async () => {
    const params = JSON.stringify(Array(5_000).fill('x'));
    const reply = await send(`{"jsonrpc":"2.0","id":1,"method":"numbers","params":${params}}`);
    expect(errorOf(reply).data).toMatchObject({ violations: { length: 32 } });
  });

  it('of an unknown method gets only the start of a long name back', async () => {
    const reply = await send(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(5_000)}"}`);
    expect(errorOf(reply)).toMatchObject({ code: -32601, data: { method: `${'x'.repeat(100)}…` } });
    expect(reply.text.length).toBeLessThan(500);
  });

  it('must not repeat a member name in a param, which parsers read differently', async () => {
    const reply = await send('{"jsonrpc":"2.0","id":1,"method":"echo","params":[{"a":1,"a":2}]}');
    expect(errorOf(reply)).toMatchObject({ code: -32602, data: { reason: 'invalid_params' } });
  });

  it.each([
    ['members', (count: number) => Object.fromEntries(Array(count).fill(0).entries())],
    ['elements', (count: number) => Array(count).fill(null)],
  ])('may have many %s in its params, up to a limit', async (_, valuesOf) => {
    const paramsOf = (count: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"echo","params":[${JSON.stringify(valuesOf(count))}]}`;
    // The params, their only element and what it holds.
    const options = { param_values: 1_002 };
    expect(await send(paramsOf(1_000), options)).toMatchObject({ body: { id: 1 } });
    const reply = await send(paramsOf(1_001), options);
    expect(errorOf(reply)).toMatchObject({
      code: -32602,
      message: 'invalid params: params: expected at most 1002 values in total, got more',
    });
  });

  it('may have long member names in its params, up to a limit', async () => {
    const callWith = (name: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'echo',
        params: [{ outer: [{ [name]: 0 }] }],
      });
    const options = { param_name_bytes: 256 };
    expect(await send(callWith('x'.repeat(256)), options)).toMatchObject({ status: 200 });
    expect(await send(callWith('x'.repeat(100_000)))).toMatchObject({ status: 200 });
    const reply = await send(callWith('/'.repeat(257)), options);
    expect(errorOf(reply)).toMatchObject({
      code: -32602,
      message:
        'invalid params: params: expected member names of at most 256 bytes, got a longer one',
    });
  });

  it('gets an internal error without internals when the backend throws', async () => {
    const thrown: unknown[] = [];
    const reply = await send('{"jsonrpc":"2.0","id":1,"method":"throw"}', {
      onError: (error) => thrown.push(error),
    });
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('secret');
    expect(errorOf(reply)).toMatchObject({ code: -32603, data: { reason: 'internal_error' } });
    expect(thrown).toMatchObject([{ message: 'secret' }]);
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['a result that is not JSON text', { ok: true, value: { openrpc: '1.3.2' } }],
    ['an undefined error', { ok: false, error: undefined }],
    [
      'an error whose data JSON cannot hold',
      { ok: false, error: { code: 1, message: 'm', data: 1n } },
    ],
  ])('gets an internal error under its own id when the backend gives %s', async (_, outcome) => {
    const thrown: unknown[] = [];
    const backend = () => Promise.resolve(outcome as never);
    const onError = (error: unknown) => thrown.push(error);
    const call = '{"jsonrpc":"2.0","id":"mine","method":"echo"}';
    const { body } = await send(call, { backend, onError });
    expect(body).toMatchObject({ id: 'mine', error: { code: -32603 } });
    const batch = await send(`[${call}]`, { backend, onError });
    expect(batch.body).toMatchObject([{ id: 'mine', error: { code: -32603 } }]);
    expect(thrown).toHaveLength(2);
  });
});
