/** JSON-RPC 2.0 messages with the expected answers, the same over both transports. */
import { expect } from 'vitest';

const UNKNOWN = `0x${'00'.repeat(31)}01`;
export const CALL = `"method":"eth_getTransactionByHash","params":["${UNKNOWN}"]`;

/** The expected HTTP status and answer; undefined where there is no answer. */
export interface Case {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly status: number;
  readonly answer: unknown;
}

export const error = (code: number, id: unknown = null): unknown =>
  expect.objectContaining({
    jsonrpc: '2.0',
    id,
    error: expect.objectContaining({ code, message: expect.any(String) as string }) as object,
  });
export const hit = (id: unknown): unknown => ({ jsonrpc: '2.0', id, result: null });
const bytes = (...values: (string | number)[]): Uint8Array =>
  Buffer.concat(
    values.map((value) => (typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value))),
  );
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

// The examples of the JSON-RPC 2.0 specification (section 7), with methods of this service.
export const specification: Case[] = [
  {
    name: 'a call with positional parameters',
    body: `{"jsonrpc": "2.0", ${CALL}, "id": 1}`,
    status: 200,
    answer: hit(1),
  },
  {
    name: 'a call with named parameters asks for a positional array',
    body: '{"jsonrpc": "2.0", "method": "eth_getTransactionByHash", "params": {"hash": "0x1"}, "id": 3}',
    status: 200,
    answer: error(-32602, 3),
  },
  { name: 'a notification', body: `{"jsonrpc": "2.0", ${CALL}}`, status: 204, answer: undefined },
  {
    name: 'a notification of an unknown method',
    body: '{"jsonrpc": "2.0", "method": "foobar"}',
    status: 204,
    answer: undefined,
  },
  {
    name: 'a call of an unknown method',
    body: '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
    status: 200,
    answer: error(-32601, '1'),
  },
  {
    name: 'a call with invalid JSON',
    body: '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'a call with an invalid request object',
    body: '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
    status: 400,
    answer: error(-32600),
  },
  {
    name: 'a batch of invalid JSON',
    body: '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]',
    status: 400,
    answer: error(-32700),
  },
  { name: 'an empty batch', body: '[]', status: 400, answer: error(-32600) },
  { name: 'a batch of one invalid request', body: '[1]', status: 200, answer: [error(-32600)] },
  {
    name: 'a batch of three invalid requests',
    body: '[1,2,3]',
    status: 200,
    answer: [error(-32600), error(-32600), error(-32600)],
  },
  {
    name: 'a mixed batch is answered in order, without its notifications',
    body: `[{"jsonrpc":"2.0",${CALL},"id":"1"},{"jsonrpc":"2.0",${CALL}},{"foo":"boo"},{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},{"jsonrpc":"2.0",${CALL},"id":"9"}]`,
    status: 200,
    answer: [hit('1'), error(-32600), error(-32601, '5'), hit('9')],
  },
  {
    name: 'a batch of notifications only',
    body: `[{"jsonrpc":"2.0",${CALL}},{"jsonrpc":"2.0","method":"foobar"}]`,
    status: 204,
    answer: undefined,
  },
];

export const malformed: Case[] = [
  { name: 'an empty object is not a request', body: '{}', status: 400, answer: error(-32600) },
  { name: 'jsonrpc missing', body: `{"id":1,${CALL}}`, status: 400, answer: error(-32600, 1) },
  {
    name: 'jsonrpc of another version',
    body: `{"jsonrpc":"1.0","id":1,${CALL}}`,
    status: 400,
    answer: error(-32600, 1),
  },
  {
    name: 'jsonrpc as a number',
    body: `{"jsonrpc":2.0,"id":1,${CALL}}`,
    status: 400,
    answer: error(-32600, 1),
  },
  {
    name: 'method missing',
    body: '{"jsonrpc":"2.0","id":1}',
    status: 400,
    answer: error(-32600, 1),
  },
  {
    name: 'method null',
    body: '{"jsonrpc":"2.0","id":1,"method":null}',
    status: 400,
    answer: error(-32600, 1),
  },
  {
    name: 'an id that is an object',
    body: `{"jsonrpc":"2.0","id":{},${CALL}}`,
    status: 400,
    answer: error(-32600),
  },
  {
    name: 'an id that is an array',
    body: `{"jsonrpc":"2.0","id":[1],${CALL}}`,
    status: 400,
    answer: error(-32600),
  },
  {
    name: 'an id that is a boolean',
    body: `{"jsonrpc":"2.0","id":true,${CALL}}`,
    status: 400,
    answer: error(-32600),
  },
  { name: 'a bare string', body: '"hello"', status: 400, answer: error(-32600) },
  { name: 'a bare number', body: '42', status: 400, answer: error(-32600) },
  { name: 'null', body: 'null', status: 400, answer: error(-32600) },
  { name: 'white space only', body: ' \n\t ', status: 400, answer: error(-32700) },
  {
    name: 'a truncated object',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_getT',
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'a trailing comma',
    body: `{"jsonrpc":"2.0","id":1,${CALL},}`,
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'two values',
    body: `{"jsonrpc":"2.0","id":1,${CALL}} {}`,
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'a comment',
    body: `{"jsonrpc":"2.0","id":1,${CALL}} // hi`,
    status: 400,
    answer: error(-32700),
  },
  { name: 'single quotes', body: "{'jsonrpc':'2.0'}", status: 400, answer: error(-32700) },
  { name: 'NaN', body: `{"jsonrpc":"2.0","id":NaN,${CALL}}`, status: 400, answer: error(-32700) },
  {
    name: 'a leading zero',
    body: `{"jsonrpc":"2.0","id":01,${CALL}}`,
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'a control character in a string',
    body: '{"jsonrpc":"2.0","id":"a\u0001b","method":"x"}',
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'a bad escape',
    body: '{"jsonrpc":"2.0","id":"\\x41","method":"x"}',
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'JSON nested far too deep',
    body: `{"jsonrpc":"2.0","id":1,"method":"x","params":${deep(5000)}}`,
    status: 400,
    answer: error(-32700),
  },
];

export const byteLevel: Case[] = [
  {
    name: 'bytes that are not UTF-8',
    body: bytes('{"jsonrpc":"2.0","id":"', 0xff, 0xfe, '","method":"x"}'),
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'an overlong UTF-8 sequence',
    body: bytes('{"jsonrpc":"2.0","id":"', 0xc0, 0xaf, '","method":"x"}'),
    status: 400,
    answer: error(-32700),
  },
  {
    name: 'a NUL byte',
    body: bytes('{"jsonrpc":"2.0",', 0, '"id":1}'),
    status: 400,
    answer: error(-32700),
  },
  { name: 'an empty body', body: '', status: 400, answer: error(-32700) },
];

export const params: Case[] = [
  {
    name: 'params missing count as an empty array',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash"}',
    status: 200,
    answer: error(-32602, 1),
  },
  {
    name: 'params that are an object ask for a positional array',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash","params":{}}',
    status: 200,
    answer: error(-32602, 1),
  },
  {
    name: 'unknown members of the request are ignored',
    body: `{"jsonrpc":"2.0","id":1,"extra":{"a":[1]},${CALL}}`,
    status: 200,
    answer: hit(1),
  },
  {
    name: 'white space around everything',
    body: ` \r\n\t{ "jsonrpc" : "2.0" ,\n"id" : 1 , ${CALL} } \n`,
    status: 200,
    answer: hit(1),
  },
  {
    name: 'of a member sent twice the last counts',
    body: `{"jsonrpc":"2.0","id":1,"id":2,${CALL}}`,
    status: 200,
    answer: hit(2),
  },
  {
    name: 'member names may be escaped',
    body: `{"\\u006asonrpc":"2.0","i\\u0064":7,${CALL}}`,
    status: 200,
    answer: hit(7),
  },
  {
    name: 'subscriptions do not exist',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}',
    status: 200,
    answer: error(-32601, 1),
  },
  {
    name: 'eth_call is not offered',
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{}]}',
    status: 200,
    answer: error(-32601, 1),
  },
  {
    name: 'a method of the other network family',
    body: '{"jsonrpc":"2.0","id":1,"method":"getProgramAccounts","params":[]}',
    status: 200,
    answer: error(-32601, 1),
  },
  {
    name: 'a name that every object has is not a method',
    body: '{"jsonrpc":"2.0","id":1,"method":"constructor"}',
    status: 200,
    answer: error(-32601, 1),
  },
];

export const ids = [
  '1',
  '0',
  '-1',
  '1.5',
  '1e3',
  '1.0',
  '"1"',
  '""',
  'null',
  '"é"',
  '"\\u00e9"',
  '"a\\"b\\\\"',
  '12345678901234567890',
  '-0',
  '1E+2',
  '"\\ud800"',
  `"${'x'.repeat(500)}"`,
];
