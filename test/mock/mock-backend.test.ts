import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeService } from '../../bin/commands/describe-service.ts';
import { loadModel } from '../../generator/document.ts';
import { createTextReader } from '../../generator/files/text.ts';
import type { DescribedMethod, DescribedService } from '../../src/described/service.ts';
import { createMockBackend, type MockCaller } from '../../src/mock/mock-backend.ts';
import { hardDocument } from '../generator/support/hard-document.ts';
import { documentOf, modelOf } from '../generator/support/document.ts';
import { errors } from '../rpc/support.ts';

interface Reply {
  readonly result?: unknown;
  readonly code?: number;
  readonly message?: string;
  readonly data?: unknown;
  readonly status?: number;
}

function mockOf(service: DescribedService, seed = 'a') {
  const backend = createMockBackend(service, { errors, seed, latency_ms: 0 });
  return async (
    name: string,
    params: readonly unknown[],
    caller: MockCaller = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Reply> => {
    const described = service.methods.find((method) => method.name === name)!;
    const method = { name, validateParams: described.validateParams, described };
    const rawParams = Buffer.from(JSON.stringify(params));
    const call = { method, params, rawParams, requestId: 'r', streams: false };
    const outcome = await backend(call, caller, signal);
    if (!outcome.ok) return outcome.error;
    return { result: JSON.parse((outcome.value as Buffer).toString()) as unknown };
  };
}

async function serviceAt(path: string): Promise<DescribedService> {
  return describeService(await loadModel(path, createTextReader({ stdin: process.stdin })));
}

describe('a mock of our document', () => {
  let service: DescribedService;
  let call: ReturnType<typeof mockOf>;
  const methodNamed = (name: string): DescribedMethod =>
    service.methods.find((method) => method.name === name)!;

  beforeAll(async () => {
    service = await serviceAt('openrpc.json');
    call = mockOf(service);
  });

  it('answers every example with its result or error', async () => {
    for (const { name, examples } of service.methods) {
      expect(examples.length, name).toBeGreaterThan(0);
      const met: unknown[] = [];
      for (const example of examples) {
        // Of examples with the same params the first is the answer; the others are asked for by name.
        const isFirst = !met.some((params) => isDeepStrictEqual(params, example.params));
        met.push(example.params);
        const wanted = isFirst ? {} : { wantsError: example.name };
        const reply = await call(name, example.params, wanted);
        if (example.error === undefined) {
          expect(reply.result, example.name).toEqual(JSON.parse(example.result!));
        } else {
          const { code, message, status } = example.error;
          expect(reply, example.name).toMatchObject({ code, message, status });
        }
      }
    }
  });

  it('generates valid results for other params', async () => {
    for (const { name, examples, validateResult } of service.methods) {
      const { result, message } = await call(name, ['nothing like an example', examples.length]);
      expect(message, name).toBeUndefined();
      expect(validateResult!(result), name).toEqual([]);
    }
  });

  it('generates the same result for the same call and seed only', async () => {
    const params = [`0x${'12'.repeat(32)}`];
    const first = await call('eth_getTransactionByHash', params);
    expect(await mockOf(service)('eth_getTransactionByHash', params)).toEqual(first);
    const others = await Promise.all(
      ['b', 'c', 'd', 'e'].map((seed) => mockOf(service, seed)('eth_getTransactionByHash', params)),
    );
    expect(new Set(others.map((other) => JSON.stringify(other))).size).toBeGreaterThan(1);
  });

  it('answers with a requested error, by reason, name, code or example', async () => {
    const name = 'eth_estimateGas';
    const reverted = methodNamed(name).examples.find(({ error }) => error?.code === 3)!;
    const byReason = await call(name, [], { wantsError: 'credits_exhausted' });
    expect(byReason).toMatchObject({
      code: 402,
      status: 402,
      data: { reason: 'credits_exhausted' },
    });
    expect(await call(name, [], { wantsError: 'CreditsExhausted' })).toEqual(byReason);
    expect(await call(name, [], { wantsError: '402' })).toEqual(byReason);
    expect(await call(name, [], { wantsError: reverted.name })).toMatchObject({
      code: 3,
      message: reverted.error!.message,
      data: reverted.error!.data,
    });
  });

  it('lists the declared errors if the requested one is unknown', async () => {
    const { code, data } = await call('eth_estimateGas', [], { wantsError: 'no_such' });
    expect(code).toBe(-32600);
    expect(data).toMatchObject({
      detail: 'eth_estimateGas has no error no_such',
      fix: expect.stringMatching(
        /^Name a declared error in X-Mock-Error; declared: .*rate_limited/,
      ),
    });
  });

  it('waits for the latency that is asked for, or until the caller leaves', async () => {
    const name = 'eth_getBlockByNumber';
    const caller = new AbortController();
    const ended: string[] = [];
    const end = (latency: string): Promise<number> =>
      call(name, ['latest', false], { wantsLatency: latency }, caller.signal).then(() =>
        ended.push(latency),
      );
    const slow = end('60000');
    await end('1');
    await end('0');
    expect(ended).toEqual(['1', '0']);
    caller.abort();
    await slow;
    expect(ended).toEqual(['1', '0', '60000']);
  });
});

const corpus = globSync('node_modules/@open-rpc/examples/build/service-descriptions/*.json');

describe('mocks of other documents', () => {
  it.each(corpus.map((path) => [basename(path), path]))(
    '%s: every example is answered, other results are valid',
    async (_, path) => {
      const service = await serviceAt(path);
      const call = mockOf(service);
      for (const { name, examples, validateResult } of service.methods) {
        for (const { params, result } of examples) {
          expect(await call(name, params), name).toEqual({ result: JSON.parse(result!) });
        }
        const { result, message } = await call(name, ['other']);
        expect(message, name).toBeUndefined();
        if (validateResult !== null) expect(validateResult(result), name).toEqual([]);
      }
    },
  );

  it('compares the params with those of all examples in one reading', async () => {
    const exampleOf = (size: number) => ({
      name: `of ${size}`,
      params: [{ name: 'p', value: { size, more: { b: [null], a: 1 } } }],
      result: { name: 'r', value: size },
    });
    const method = {
      name: 'm',
      params: [{ name: 'p', schema: { type: 'object' } }],
      result: { name: 'r', schema: { type: 'integer' } },
      examples: Array.from({ length: 300 }, (_, size) => exampleOf(size)),
    };
    const call = mockOf(describeService(await modelOf(documentOf([method]))));
    expect(await call('m', [{ more: { a: 1, b: [null] }, size: 299 }])).toEqual({ result: 299 });
    let reads = 0;
    const watched = new Proxy(
      { size: -1 },
      {
        ownKeys(target) {
          reads += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    await call('m', [watched]);
    expect(reads).toBeLessThan(20);
  });

  it('answers with a valid result or a clear error for recursive, boolean and conditional schemas', async () => {
    const service = describeService(await modelOf(hardDocument));
    const call = mockOf(service);
    for (const { name, validateResult } of service.methods) {
      const { result, data } = await call(name, []);
      if (data !== undefined) expect(JSON.stringify(data)).toContain('Add an example');
      else if (validateResult !== null) expect(validateResult(result), name).toEqual([]);
    }
  });
});
