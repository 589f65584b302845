/** The charges for calls, through `specgate serve` with plans of the test and real nodes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { evmFacts } from '../devnet/evm-facts.ts';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import { startSolanaNode } from '../../src/devnet/solana/index.ts';
import listed from '../data/interface.json' with { type: 'json' };
import { document, everyExample } from '../support/document.ts';
import { removeFolder, serve, type Serving } from '../support/serve.ts';
import { call, httpWire, post, webSocketWire, type RpcAnswer } from '../support/wire.ts';

interface Usage {
  readonly used: number;
  readonly remaining: number;
  readonly limit: number;
  readonly resetsAt: string;
  readonly methods: Readonly<Record<string, { readonly calls: number; readonly credits: number }>>;
}

const PLENTY = { plan: 'custom', creditsPerDay: 1_000_000_000, callsPerSecond: 100_000 };
const RECEIPTS = 1000;
const account = (id: string, limits: object): object => ({
  id,
  ...PLENTY,
  ...limits,
  keys: [{ key: `key-of-${id}` }],
});

let nodes: DevnetNode[];
let evm: Serving;
let solana: Serving;
let config: object;

beforeAll(async () => {
  nodes = await Promise.all([startEvmNode(), startSolanaNode()]);
  const accounts = [
    account('rich', {}),
    account('poor', { creditsPerDay: RECEIPTS + 200 }),
    account('thrifty', { creditsPerDay: 100_000 }),
    account('slow', { callsPerSecond: 2 }),
  ];
  config = {
    accounts,
    networks: [
      { name: 'evm', family: 'evm', listen: { port: 0 }, upstreams: [{ url: nodes[0]!.httpUrl }] },
    ],
  };
  const svm = {
    accounts,
    networks: [
      {
        name: 'solana',
        family: 'svm',
        listen: { port: 0 },
        upstreams: [{ url: nodes[1]!.httpUrl }],
      },
    ],
  };
  [evm, solana] = await Promise.all([serve(config), serve(svm)]);
});

afterAll(async () => {
  await Promise.all([evm, solana].map((serving) => serving.stop()));
  await Promise.all(nodes.map((node) => node.stop()));
  for (const { folder } of [evm, solana]) removeFolder(folder);
});

const url = (id: string, serving = evm): string => `${serving.base}/v3/key-of-${id}`;

async function usage(id: string, serving = evm): Promise<Usage> {
  const response = await fetch(`${url(id, serving)}/usage`);
  expect(response.status).toBe(200);
  return (await response.json()) as Usage;
}

const hits = document.methods.map((method) => ({
  name: method.name,
  cost: listed.credits[method.name as keyof typeof listed.credits],
  family: method['x-network-family'],
  params: everyExample()
    .find(
      ({ method: of, example }) =>
        of === method && example.result !== undefined && example['x-network'] !== 'archive',
    )!
    .example.params.map(({ value }) => value),
}));

describe('credits', () => {
  test.each(hits)(
    'a call of $name takes exactly its cost from the daily balance',
    async ({ name, cost, family, params }) => {
      const serving = family === 'svm' ? solana : evm;
      const before = await usage('rich', serving);
      const { json, headers } = await post(
        url('rich', serving),
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }),
      );
      expect((json as RpcAnswer).error).toBeUndefined();
      const after = await usage('rich', serving);
      expect(after.used - before.used).toBe(cost);
      expect(before.remaining - after.remaining).toBe(cost);
      expect(after.methods[name]!.credits - (before.methods[name]?.credits ?? 0)).toBe(cost);
      expect(headers.get('x-credits-cost')).toBe(String(cost));
    },
  );

  test('a null and a revert are charged, because a node answered', async () => {
    const before = (await usage('rich')).used;
    await call(httpWire(url('rich')), 'eth_getTransactionByHash', [evmFacts.unknown.hash]);
    await call(httpWire(url('rich')), 'eth_estimateGas', [evmFacts.failingCalls.reason.call]);
    expect((await usage('rich')).used - before).toBe(80 + 300);
  });

  test('a call that no node answered is not charged', async () => {
    const before = (await usage('rich')).used;
    const wire = httpWire(url('rich'));
    for (const body of [
      'nonsense',
      '{}',
      '[]',
      '{"jsonrpc":"2.0","method":"eth_getBlockByNumber","params":["latest",false]}',
    ])
      await wire.send(body);
    await call(wire, 'eth_getTransactionByHash', ['0x12']);
    await call(wire, 'no_such_method', []);
    await call(wire, 'rpc.discover', []);
    expect((await usage('rich')).used).toBe(before);
  });

  test('each call of a batch is charged by itself', async () => {
    const before = (await usage('rich')).used;
    const calls = ['0x1', 'bad', '0x2'].map((number, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBlockByNumber',
      params: [number, false],
    }));
    const { headers } = await httpWire(url('rich')).send(JSON.stringify(calls));
    expect((await usage('rich')).used - before).toBe(160);
    expect(headers.get('x-credits-cost')).toBe('160');
  });

  test('a call the balance does not cover is 402 with cost, remaining and resetsAt', async () => {
    const socket = await webSocketWire(
      `${url('poor').replace('http', 'ws').replace('/v3/', '/ws/v3/')}`,
    );
    try {
      const wire = httpWire(url('poor'));
      expect((await call(wire, 'eth_getBlockReceipts', ['latest'])).error).toBeUndefined();
      const refused = await wire.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method: 'eth_getBlockReceipts',
          params: ['latest'],
        }),
      );
      expect(refused.status).toBe(402);
      const { error, id } = refused.json as RpcAnswer;
      expect([id, error?.code]).toEqual([7, 402]);
      const data = error?.data as { cost: number; remaining: number; resetsAt: string };
      expect(data).toMatchObject({ reason: 'credits_exhausted', cost: RECEIPTS, remaining: 200 });
      expect(new Date(data.resetsAt).toISOString()).toMatch(/T00:00:00\.000Z$/);
      expect(new Date(data.resetsAt).getTime()).toBeGreaterThan(Date.now());
      // The WebSocket stays open, and what is left can still be spent, to the last credit.
      expect((await call(socket, 'eth_getBlockReceipts', ['latest'])).error?.code).toBe(402);
      expect((await call(socket, 'eth_getBlockByNumber', ['latest', false])).error).toBeUndefined();
      expect((await call(socket, 'eth_getBlockByNumber', ['latest', false])).error).toBeUndefined();
      expect((await call(socket, 'eth_getBlockByNumber', ['latest', false])).error?.code).toBe(402);
      expect(await usage('poor')).toMatchObject({ used: RECEIPTS + 160, remaining: 40 });
    } finally {
      await socket.close();
    }
  });

  test('a balance is never oversold by many calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 130 }, () =>
        call(httpWire(url('thrifty')), 'eth_getBlockReceipts', ['latest']),
      ),
    );
    const served = answers.filter(({ error }) => error === undefined).length;
    const refused = answers.filter(({ error }) => error?.code === 402).length;
    expect([served, refused]).toEqual([100, 30]);
    expect(await usage('thrifty')).toMatchObject({ used: 100_000, remaining: 0 });
  });

  test('calls beyond the rate of the plan are 429 with code -32005', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        post(
          url('slow'),
          '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}',
        ),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(3);
    expect(refused.length).toBeLessThan(10);
    for (const { json, headers } of refused) {
      expect((json as RpcAnswer).error).toMatchObject({
        code: -32005,
        data: { reason: 'rate_limited' },
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('a graceful stop loses no credit', async () => {
    const before = await usage('poor');
    expect(await evm.stop()).toBe(0);
    evm = await serve(config, { folder: evm.folder });
    expect(await usage('poor')).toEqual(before);
    expect(
      (await call(httpWire(url('poor')), 'eth_getBlockByNumber', ['latest', false])).error?.code,
    ).toBe(402);
  });
});
