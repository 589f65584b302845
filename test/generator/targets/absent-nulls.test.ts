/** Nulls that mean "absent" where a document says so, in everything that validates params. */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeService } from '../../../bin/commands/describe-service.ts';
import { createClient, http } from '../../../generated/client/src/index.ts';
import { withValidation } from '../../../generated/client/src/validate.ts';
import { methods } from '../../../generated/methods.ts';
import { createDispatcher, type Handlers } from '../../../generated/server/index.ts';
import { createReferenceRouter } from '../../../generated/server/reference.js';
import { validateParams, type ValidateParams } from '../../../generated/validators.js';
import { loadModel } from '../../../generator/document.ts';
import { createTextReader } from '../../../generator/files/text.ts';
import { createValidators } from '../../../generator/targets/validators/in-process.ts';
import { dropNulls } from '../../../src/gateway/drop-nulls.ts';
import type { MethodEntry } from '../../../src/gateway/protocol.ts';
import type { DescribedServer } from '../../../src/main/described-server.ts';
import { startMock } from '../../../src/main/mock.ts';
import { startProxy, type RunningProxy } from '../../../src/main/proxy.ts';
import rustClient from '../../libraries/fixtures/solana-rust-client.json' with { type: 'json' };
import { everyExample } from '../../support/document.ts';
import { call, httpWire } from '../../support/wire.ts';

interface Call {
  readonly method: string;
  readonly params: unknown[];
}

const to = `0x${'11'.repeat(20)}`;
const calls: readonly Call[] = [
  ...rustClient.requests.map(({ body }) => JSON.parse(body) as Call),
  { method: 'getProgramAccounts', params: ['11111111111111111111111111111111', null] },
  { method: 'eth_estimateGas', params: [{ to, gas: null, from: null }, null, null] },
  { method: 'eth_estimateGas', params: [{ to, data: null }, 'latest', null] },
  { method: 'eth_getProof', params: [to, [], null] },
];
/** Nulls that mean nothing: required, or in the middle, or of a member that has no mark. */
const refused: readonly Call[] = [
  { method: 'eth_estimateGas', params: [null] },
  { method: 'eth_estimateGas', params: [{ to }, null, {}] },
  { method: 'eth_getProof', params: [to, null, 'latest'] },
  { method: 'getProgramAccounts', params: ['1', { filters: [null] }] },
];

const byName: Readonly<Record<string, ValidateParams>> = validateParams;
const entries: Readonly<Record<string, MethodEntry>> = methods;
const hasNull = (value: unknown): boolean => JSON.stringify(value).includes('null');

describe('validators', () => {
  test.each(calls)('accept the nulls of $method that mean "absent"', async ({ method, params }) => {
    expect(byName[method]!(params)).toEqual([]);
    expect(hasNull(byName[method]!.withoutNulls(params))).toBe(false);
    const model = await loadModel('openrpc.json', createTextReader());
    const { validateParams: check } = createValidators(model).get(method)!;
    expect(check(params)).toEqual([]);
  });

  test('drop what the gateway drops, and nothing else', () => {
    const examples = everyExample().map(({ method: { name }, example }) => ({
      method: name,
      params: example.params.map(({ value }) => value),
    }));
    for (const { method, params } of [...calls, ...refused, ...examples]) {
      const raw = Buffer.from(JSON.stringify(params));
      const dropped: unknown = JSON.parse(dropNulls(entries[method]!, params, raw).toString());
      expect(byName[method]!.withoutNulls(params), method).toEqual(dropped);
    }
  });

  test('refuse other nulls', () => {
    for (const { method, params } of refused) {
      expect(byName[method]!(params), JSON.stringify(params)).not.toEqual([]);
    }
  });

  test('return the same params when there is nothing to drop', () => {
    const params = [to, [], 'latest'];
    expect(validateParams.eth_getProof.withoutNulls(params)).toBe(params);
  });
});

test('the generated server hands no such nulls to its handlers', async () => {
  const seen: unknown[] = [];
  const handlers = Object.fromEntries(
    Object.keys(methods).map((name) => [name, (params: unknown) => void seen.push(params)]),
  ) as unknown as Handlers;
  const dispatch = createDispatcher(handlers);
  for (const each of calls) expect(await dispatch(each, undefined)).toEqual({});
  expect(seen).toHaveLength(calls.length);
  expect(hasNull(seen)).toBe(false);
});

test('the reference server answers an example to params with such nulls', async () => {
  const { example } = everyExample().find(
    ({ method, example }) => method.name === 'eth_getProof' && example.params.length === 2,
  )!;
  const params = [...example.params.map(({ value }) => value), null];
  const answered = await createReferenceRouter().call('eth_getProof', params);
  expect(answered).toEqual({ result: example.result!.value });
});

describe('over HTTP,', () => {
  const received: string[] = [];
  let node: Server;
  let mock: DescribedServer;
  let proxy: RunningProxy;
  const onError = (error: unknown): never => {
    throw error;
  };

  beforeAll(async () => {
    node = createServer(async (request, response) => {
      const body = await text(request);
      received.push(body);
      const { id } = JSON.parse(body) as { readonly id: number };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }));
    });
    await new Promise<void>((resolve) => void node.listen(0, '127.0.0.1', resolve));
    const service = describeService(await loadModel('openrpc.json', createTextReader()));
    const address = { host: '127.0.0.1', port: 0 };
    mock = await startMock(service, { address, seed: 's', latency_ms: 0 }, onError);
    const upstream = new URL(`http://127.0.0.1:${(node.address() as AddressInfo).port}`);
    const settings = { address, upstream, headers: {}, fails: true };
    proxy = await startProxy(service, settings, { onViolation: () => undefined, onError });
  });

  afterAll(async () => {
    await mock.stop();
    await proxy.stop();
    node.closeAllConnections();
    await new Promise((resolve) => node.close(resolve));
  });

  test.each(calls)('a mock answers $method with such nulls', async ({ method, params }) => {
    const wire = httpWire(mock.http);
    const answer = await call(wire, method, params);
    expect(answer).toHaveProperty('result');
    expect(answer).toEqual(
      await call(wire, method, byName[method]!.withoutNulls(params) as unknown[]),
    );
  });

  test('a proxy forwards them as they were written and reports nothing', async () => {
    const params = [{ to, gas: null }, null];
    expect(await call(httpWire(proxy.http), 'eth_estimateGas', params)).toMatchObject({
      result: '0x1',
    });
    expect(received.at(-1)).toContain(JSON.stringify(params));
    expect(proxy.log.report().violations).toEqual([]);
  });

  test('a client that validates sends them', async () => {
    const client = createClient({ transport: withValidation(http({ url: mock.http })) });
    const proof = { method: 'eth_getProof', params: [to, [], null] };
    expect(await client.request(proof as never)).toHaveProperty('address');
  });
});
