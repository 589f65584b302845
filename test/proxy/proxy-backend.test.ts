import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import {
  passingMethods,
  createProxyBackend,
  type ProxyMethod,
} from '../../src/proxy/proxy-backend.ts';
import { ViolationLog } from '../../src/proxy/violation-log.ts';
import type { Answer } from '../../src/rpc/call.ts';
import { createRpc } from '../../src/rpc/core.ts';
import { failure, type UpstreamCall, type UpstreamOutcome } from '../../src/upstream/upstream.ts';
import { documentOf, modelOf } from '../generator/support/document.ts';
import { errors } from '../rpc/support.ts';

const model = await modelOf(
  documentOf([
    {
      name: 'list',
      paramStructure: 'either',
      params: [{ name: 'limit', required: true, schema: { type: 'integer', maximum: 10 } }],
      result: {
        name: 'rows',
        schema: { type: 'array', items: { type: 'object', required: ['id'] } },
      },
      errors: [{ code: 100, message: 'no such list' }],
    },
  ]),
);
const service = describeService(model);

let sent: UpstreamCall[];
let reply: UpstreamOutcome;
let log: ViolationLog;
let first: string[];

beforeEach(() => {
  sent = [];
  first = [];
  reply = { kind: 'result', result: Buffer.from('[]') };
  log = new ViolationLog(({ method, side, pointer }) => first.push(`${method} ${side} ${pointer}`));
});

async function send(text: string, fails = false): Promise<{ answer: Answer; body: unknown }> {
  const rpc = createRpc<ProxyMethod, undefined>({
    methods: passingMethods(service.methods, { log, fails }),
    backend: createProxyBackend({
      upstream: (call) => {
        sent.push(call);
        return Promise.resolve(reply);
      },
      errors,
      log,
      fails,
    }),
    errors,
    limits: { batch_concurrency: 4, response_bytes: 100_000, request_depth: 32, batch_calls: 10 },
    monotonic_ms: () => 0,
    onError: (error) => expect.unreachable(String(error)),
  });
  const signal = new AbortController().signal;
  const answer = await rpc.answer(rpc.read(Buffer.from(text)), undefined, {
    requestId: 'r',
    signal,
  });
  const joined = Buffer.concat(answer.body as Buffer[]).toString();
  return { answer, body: joined === '' ? undefined : JSON.parse(joined) };
}

const call = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('a validating proxy', () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"${index}":0`);
  it.each([
    ['values', `[${Array(100_000).fill('0').join(',')}]`],
    ['names', `[{${members.join(',')}}]`],
    ['bytes', `["${'x'.repeat(8 * 1024 * 1024)}"]`],
  ])('reports a result of very many %s and does not parse it', async (_, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    const result = Buffer.from(text);
    reply = { kind: 'result', result };
    await send(call('list', [3]));
    const parsed = parse.mock.calls.map(([each]) => each.length);
    parse.mockRestore();
    expect(parsed.filter((length) => length === text.length)).toEqual([]);
    expect(log.report().violations).toMatchObject([
      { method: 'list', side: 'response', pointer: '', keyword: 'complexity', count: 1 },
    ]);
    const { body } = await send(call('list', [3]), true);
    expect(body).toMatchObject({ error: { data: { violations: [{ keyword: 'complexity' }] } } });
  });

  it('checks other results, and handles input, between those of a batch that take long', async () => {
    const events: string[] = [];
    const [described] = service.methods;
    const validateResult = (value: unknown) => {
      const from_ms = performance.now();
      while (performance.now() < from_ms + 10) continue;
      events.push(String(value));
      return [];
    };
    const result = (text: string) => ({ kind: 'result', result: Buffer.from(text) }) as const;
    const backend = createProxyBackend<undefined>({
      upstream: ({ params }) => Promise.resolve(result(params.toString())),
      errors,
      log,
      fails: false,
    });
    const method = { ...passingMethods(service.methods, { log, fails: false }).get('list')! };
    const ask = (text: string, batch?: object) =>
      backend(
        {
          method: { ...method, described: { ...described!, validateResult } },
          params: [],
          rawParams: Buffer.from(text),
          requestId: text,
          streams: false,
          batch,
        },
        undefined,
        new AbortController().signal,
      );
    const batch = {};
    const calls = ['1', '2', '3', '4', '5'].map((text) => ask(text, batch));
    setImmediate(() => {
      events.push('input');
      calls.push(ask('6'));
    });
    await new Promise((seen) => setImmediate(seen));
    await Promise.all(calls);
    expect(events.slice(0, 2)).toEqual(['1', 'input']);
    expect(events.indexOf('6')).toBeLessThan(4);
    expect(events).toHaveLength(7);
  });

  it('forwards valid calls byte for byte and reports nothing', async () => {
    reply = { kind: 'result', result: Buffer.from('[ {"id": 18446744073709551615} ]') };
    const { answer } = await send('{"jsonrpc":"2.0","id":"a","method":"list","params":[ 3 ]}');
    expect(Buffer.concat(answer.body as Buffer[]).toString()).toBe(
      '{"jsonrpc":"2.0","id":"a","result":[ {"id": 18446744073709551615} ]}',
    );
    expect(sent.map(({ params }) => params.toString())).toEqual(['[ 3 ]']);
    expect(log.report()).toMatchObject({ calls: 1, violations: [] });
  });

  it('forwards params by name unchanged', async () => {
    await send(call('list', { limit: 3 }));
    expect(sent[0]!.params.toString()).toBe('{"limit":3}');
    expect(log.report().violations).toEqual([]);
  });

  it('reports an invalid request and forwards it', async () => {
    expect((await send(call('list', [11]))).body).toEqual({ jsonrpc: '2.0', id: 1, result: [] });
    expect(sent).toHaveLength(1);
    expect(log.report().violations).toMatchObject([
      { method: 'list', side: 'request', pointer: '/0', keyword: 'maximum', count: 1 },
    ]);
  });

  it('reports an unknown method and forwards it', async () => {
    expect((await send(call('drop', { table: 1 }))).body).toMatchObject({ result: [] });
    expect(sent[0]).toMatchObject({ method: 'drop' });
    expect(log.report().violations).toMatchObject([
      { method: 'drop', side: 'request', keyword: 'method' },
    ]);
  });

  it('reports no long name of an unknown method', async () => {
    reply = { ...reply, kind: 'result', violation: 'missing jsonrpc' } as UpstreamOutcome;
    const method = 'm'.repeat(1_000_000);
    await send(call(method, []));
    expect(sent[0]).toMatchObject({ method });
    const { violations } = log.report();
    expect(violations.map(({ side }) => side)).toEqual(['request', 'response']);
    expect(JSON.stringify([violations, first]).length).toBeLessThan(4_000);
  });

  it('reports an invalid result once for all array indices and forwards it', async () => {
    reply = { kind: 'result', result: Buffer.from('[{},{"id":1},{}]') };
    expect((await send(call('list', [1]))).body).toMatchObject({ result: [{}, { id: 1 }, {}] });
    expect(log.report().violations).toMatchObject([
      { method: 'list', side: 'response', pointer: '/*/id', keyword: 'required', count: 2 },
    ]);
    expect(first).toEqual(['list response /*/id']);
  });

  it('reports an undeclared error code, except those of JSON-RPC', async () => {
    reply = { kind: 'error', error: { code: 101, message: 'other', data: { a: 1 } } };
    expect((await send(call('list', [1]))).body).toMatchObject({
      error: { code: 101, message: 'other', data: { a: 1 } },
    });
    expect(log.report().violations).toMatchObject([
      { side: 'response', keyword: 'errors', message: expect.stringContaining('101') },
    ]);
    for (const code of [100, -32603, -32700]) {
      reply = { kind: 'error', error: { code, message: 'declared' } };
      await send(call('list', [1]));
    }
    expect(log.report().violations).toHaveLength(1);
  });

  it('reports an invalid JSON-RPC response, also to the caller', async () => {
    reply = failure('malformed', 'the answer has no result');
    expect((await send(call('list', [1]))).body).toMatchObject({
      error: { code: -32603, data: { detail: 'upstream: the answer has no result' } },
    });
    expect(log.report().violations).toMatchObject([{ side: 'response', keyword: 'response' }]);
  });

  it('counts different errors of responses separately, regardless of their position', async () => {
    const details = ['the answer has no result', 'expected a value at byte 0'];
    for (const detail of [...details, 'expected a value at byte 7']) {
      reply = failure('malformed', detail);
      await send(call('list', [1]));
    }
    for (const code of [101, 102, 102]) {
      reply = { kind: 'error', error: { code, message: 'other' } };
      await send(call('list', [1]));
    }
    expect(log.report().violations).toMatchObject([
      { message: details[0], count: 1 },
      { message: details[1], count: 2 },
      { message: expect.stringContaining('101'), count: 1 },
      { message: expect.stringContaining('102'), count: 2 },
    ]);
  });

  it('rejects invalid params, methods and results with --fail', async () => {
    expect((await send(call('list', [11]), true)).body).toMatchObject({ error: { code: -32602 } });
    expect((await send(call('drop', []), true)).body).toMatchObject({ error: { code: -32601 } });
    expect(sent).toHaveLength(0);
    reply = { kind: 'result', result: Buffer.from('[{}]') };
    expect((await send(call('list', [1]), true)).body).toMatchObject({
      error: { code: -32603, data: { violations: [{ pointer: '/0/id', keyword: 'required' }] } },
    });
    expect(log.report().violations.map(({ keyword }) => keyword)).toEqual([
      'method',
      'maximum',
      'required',
    ]);
  });

  it('keeps no long name of the other end', () => {
    const log = new ViolationLog(() => undefined);
    const name = 'x'.repeat(1_000_000);
    const violation = { pointer: `/a/${name}`, keyword: 'type', message: `unknown: ${name}` };
    for (const kind of [name, `${name}y`]) log.add(name, 'response', { ...violation, kind });
    const { violations } = log.report();
    expect(violations).toMatchObject([{ count: 2 }]);
    expect(JSON.stringify(violations).length).toBeLessThan(2_000);
  });

  it('limits the kinds of violations and counts the others', () => {
    for (let index = 0; index < 1_500; index += 1) {
      log.add(`method ${index}`, 'request', { pointer: '', keyword: 'method', message: '' });
    }
    expect(log.report()).toMatchObject({ other: 500 });
    expect(log.report().violations).toHaveLength(1_000);
  });
});
