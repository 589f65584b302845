import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { loadModel } from '../../generator/document.ts';
import { startMock } from '../../src/main/mock.ts';
import type { DescribedServer } from '../../src/main/described-server.ts';
import { documentOf, readerOf } from '../generator/support/document.ts';
import {
  byteLevel,
  CALL,
  hit,
  malformed,
  params,
  specification,
} from '../support/envelope-cases.ts';
import {
  call,
  httpWire,
  post,
  webSocketWire,
  type Wire,
  type WireAnswer,
} from '../support/wire.ts';

const HASH = '^0x[0-9a-fA-F]{64}$';

const written = documentOf(
  [
    {
      name: 'eth_getTransactionByHash',
      paramStructure: 'by-position',
      params: [{ name: 'hash', required: true, schema: { type: 'string', pattern: HASH } }],
      result: { name: 'nothing', schema: { type: 'null' } },
      errors: [{ code: 100, message: 'too far back', data: { oldest: 7 } }],
    },
    {
      name: 'add',
      paramStructure: 'by-name',
      params: [
        { name: 'left', required: true, schema: { type: 'integer' } },
        { name: 'right', schema: { type: 'integer' } },
      ],
      result: { name: 'sum', schema: { type: 'integer' } },
      examples: [
        {
          name: 'the widest',
          params: [{ name: 'left', value: 64 }],
          result: { name: 'sum', value: 'WIDEST' },
        },
        {
          name: 'one and two',
          params: [
            { name: 'right', value: 2 },
            { name: 'left', value: 1 },
          ],
          result: { name: 'sum', value: 3 },
        },
      ],
    },
  ],
  { 'x-service-methods': [{ name: 'version', answer: 'client-version', example: 'v1' }] },
);

let server: DescribedServer;
const errors: unknown[] = [];

/** No number of JavaScript holds it. */
const WIDEST = '18446744073709551615';

const text = JSON.stringify(written).replace('"WIDEST"', WIDEST);

beforeAll(async () => {
  const service = describeService(await loadModel('doc.json', readerOf({ 'doc.json': text })));
  const settings = { address: { host: '127.0.0.1', port: 0 }, seed: 's', latency_ms: 0 };
  server = await startMock(service, settings, (error) => errors.push(error));
});
afterAll(async () => {
  await server.stop();
  expect(errors).toEqual([]);
});

describe.each(['http', 'websocket'] as const)('a mock over %s', (transport) => {
  let wire: Wire;
  beforeAll(async () => {
    wire = transport === 'http' ? httpWire(server.http) : await webSocketWire(server.ws);
  });
  afterAll(() => wire.close());

  const check = ({ status, text, json }: WireAnswer, wanted: (typeof params)[number]): void => {
    if (transport === 'http') expect(status).toBe(wanted.status);
    if (wanted.answer === undefined) expect(text).toBeUndefined();
    else expect(json).toEqual(wanted.answer);
  };

  test.each([...specification, ...malformed, ...params])(
    'keeps to the envelope as the gateway does: $name',
    async (wanted) => check(await wire.send(wanted.body), wanted),
  );

  it('accepts params by name in any order where the document does', async () => {
    expect(await call(wire, 'add', { left: 1, right: 2 })).toMatchObject({ result: 3 });
    expect(await call(wire, 'add', { right: 2, left: 1 })).toMatchObject({ result: 3 });
    expect(await call(wire, 'add', [1, 2])).toMatchObject({ error: { code: -32602 } });
    const other = await call(wire, 'add', { left: 5 });
    expect(Number.isInteger(other.result)).toBe(true);
    expect(await call(wire, 'add', { left: 5 })).toEqual(other);
  });

  it('returns all digits of an example', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"add","params":{"left":64}}';
    expect((await wire.send(body)).text).toBe(`{"jsonrpc":"2.0","id":1,"result":${WIDEST}}`);
  });

  it('answers the service methods of a document with their examples', async () => {
    expect(await call(wire, 'version', [])).toMatchObject({ result: 'v1' });
  });

  it('answers rpc.discover', async () => {
    expect((await call(wire, 'rpc.discover', [])).result).toMatchObject({ openrpc: '1.3.2' });
  });

  it('answers rpc.discover once per batch, as the gateway does', async () => {
    const discover = { jsonrpc: '2.0', id: 1, method: 'rpc.discover' };
    const { text } = await wire.send(JSON.stringify([discover, discover]));
    expect(JSON.parse(text!)).toMatchObject([
      { result: { openrpc: '1.3.2' } },
      { error: { code: -32600, data: { detail: expect.stringContaining('at most once') } } },
    ]);
  });
});

describe('a mock over HTTP', () => {
  test.each(byteLevel)(
    'answers bytes as the gateway does: $name',
    async ({ body, status, answer }) =>
      expect(await post(server.http, body)).toMatchObject({ status, json: answer }),
  );

  it('answers with the error that a header asks for', async () => {
    const body = `{"jsonrpc":"2.0","id":1,${CALL}}`;
    const headers = { 'x-mock-error': '100', 'x-mock-latency': '1' };
    expect((await post(server.http, body, headers)).json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 100, message: 'too far back', data: { oldest: 7 } },
    });
    expect((await post(server.http, body, { 'x-mock-error': 'nope' })).json).toMatchObject({
      error: {
        code: -32600,
        data: { fix: 'Name a declared error in X-Mock-Error; declared: TooFarBack.' },
      },
    });
    expect((await post(server.http, body, { 'x-mock-latency': 'soon' })).json).toMatchObject({
      error: { code: -32600, data: { fix: 'Send milliseconds in X-Mock-Latency, such as 250.' } },
    });
    expect((await post(server.http, body)).json).toEqual(hit(1));
  });

  it('answers after the delay that a header asks for, and later calls before', async () => {
    const body = `{"jsonrpc":"2.0","id":1,${CALL}}`;
    const leaving = new AbortController();
    const delayed = fetch(server.http, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-mock-latency': '60000' },
      body,
      signal: leaving.signal,
    }).then(
      () => 'answered',
      () => 'waiting',
    );
    expect((await post(server.http, body)).json).toEqual(hit(1));
    leaving.abort();
    expect(await delayed).toBe('waiting');
    const soon = await post(server.http, body, { 'x-mock-latency': '1' });
    expect(soon.json).toEqual(hit(1));
  });

  it('serves its document on GET, calls on any path, and no other HTTP methods', async () => {
    const { http } = server;
    expect(await (await fetch(`${http}openrpc.json`)).json()).toEqual(JSON.parse(text));
    expect((await post(`${http}some/path`, `{"jsonrpc":"2.0","id":1,${CALL}}`)).json).toEqual(
      hit(1),
    );
    const refused = await fetch(http);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await post(http, '{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  });
});
