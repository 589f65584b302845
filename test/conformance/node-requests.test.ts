/** What a real node is sent, and how its answers come back, read from a relay in front of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { evmFacts } from '../devnet/evm-facts.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { removeFolder, serve, type Serving } from '../support/serve.ts';
import { call, httpWire, type RpcAnswer } from '../support/wire.ts';

const { estimates, failingCalls, contracts } = evmFacts;
const { call: transfer } = estimates.transfer;

let node: DevnetNode;
let relay: Relay;
let serving: Serving;

beforeAll(async () => {
  node = await startEvmNode();
  relay = await startRelay(node.httpUrl);
  const limits = { plan: 'custom', creditsPerDay: 1_000_000, callsPerSecond: 100_000 };
  serving = await serve({
    networks: [
      {
        name: 'evm',
        family: 'evm',
        listen: { port: 0 },
        upstreams: [{ url: relay.url }],
        // The relay sees each call.
        cache: false,
        sharedCalls: false,
      },
    ],
    accounts: [{ id: 'app', ...limits, keys: [{ key: 'key-of-app' }] }],
  });
});

afterAll(async () => {
  await serving.stop();
  await relay.stop();
  await node.stop();
  removeFolder(serving.folder);
});

function ask(method: string, params: unknown[]): Promise<RpcAnswer> {
  return call(httpWire(`${serving.base}/v3/key-of-app`), method, params);
}

/** Calls a method and returns the params that the node was sent. */
async function sent(method: string, params: unknown[]): Promise<readonly unknown[]> {
  const before = relay.received(method).length;
  const answer = await ask(method, params);
  const received = relay.received(method).slice(before);
  expect(received, JSON.stringify(answer)).toHaveLength(1);
  return received[0]!.params;
}

describe('what a node is sent', () => {
  test('gas above 10 times the block gas limit is lowered to it, and less is left as it is', async () => {
    const block = (await ask('eth_getBlockByNumber', ['latest', false])).result;
    const cap = BigInt((block as { gasLimit: string }).gasLimit) * 10n;
    for (const [gas, wanted] of [
      [21_000n, 21_000n],
      [cap - 1n, cap - 1n],
      [cap, cap],
      [cap + 1n, cap],
      [2n ** 64n, cap],
      [2n ** 300n, cap],
    ] as const) {
      const object = { ...transfer, gas: `0x${gas.toString(16)}` };
      const [got] = await sent('eth_estimateGas', [object, 'latest']);
      expect(got, object.gas).toEqual({ ...transfer, gas: `0x${wanted.toString(16)}` });
    }
  });

  test('an estimate has neither gas nor a block that the caller left out', async () => {
    expect(await sent('eth_estimateGas', [transfer])).toEqual([transfer]);
    expect(await sent('eth_estimateGas', [transfer, 'pending'])).toEqual([transfer, 'pending']);
  });

  test('a call object needs only its target', async () => {
    const { to } = transfer;
    expect(await sent('eth_estimateGas', [{ to }])).toEqual([{ to }]);
  });

  test('a proof without a block is one of the latest block', async () => {
    const keys = [`0x${'00'.repeat(32)}`];
    expect(await sent('eth_getProof', [contracts.token, keys])).toEqual([
      contracts.token,
      keys,
      'latest',
    ]);
  });

  test('receipts are asked for by a quantity or a tag, pending ones as latest', async () => {
    for (const [block, wanted] of [
      ['pending', 'latest'],
      ['finalized', 'finalized'],
      [8, '0x8'],
      ['18', '0x12'],
      ['0x8', '0x8'],
    ] as const)
      expect(await sent('eth_getBlockReceipts', [block]), String(block)).toEqual([wanted]);
  });
});

describe('a revert', () => {
  const { call: object, error } = failingCalls.reason;
  beforeEach(() => relay.change('eth_estimateGas', (answer) => answer));

  // Each as the node sends it; `data` holds `Error("boom reason")`.
  test.each([
    ['geth', { code: 3, message: 'execution reverted: boom reason', data: error.data }],
    ['Besu', { code: -32000, message: 'Execution reverted', data: error.data }],
    [
      'Nethermind',
      { code: -32015, message: 'VM execution error.', data: `Reverted ${error.data}` },
    ],
    [
      'Hardhat',
      {
        code: -32603,
        message:
          "Error: VM Exception while processing transaction: reverted with reason string 'boom reason'",
        data: { message: 'boom', data: error.data },
      },
    ],
  ])('in the dialect of %s is error 3 with its reason and the raw data', async (_, dialect) => {
    relay.change('eth_estimateGas', ({ jsonrpc, id }) => ({ jsonrpc, id, error: dialect }));
    expect((await ask('eth_estimateGas', [object])).error).toEqual({
      code: 3,
      message: 'execution reverted: boom reason',
      data: error.data,
    });
  });
});
