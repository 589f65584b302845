/** The generated TypeScript client against the gateway. */
import { address, createSolanaRpcFromTransport } from '@solana/kit';
import { createPublicClient, custom, rpcSchema } from 'viem';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as sdk from '../../generated/client/src/index.ts';
import { evmFacts } from '../devnet/evm-facts.ts';
import { solanaFacts } from '../../src/devnet/solana/facts.ts';
import { everyExample } from '../support/document.ts';

type Client = ReturnType<typeof sdk.createClient>;
type Network = 'evm' | 'solana' | 'archive';

describe.each(['http', 'websocket'] as const)('the generated client over %s', (kind) => {
  const clients = {} as Record<Network, Client>;
  beforeAll(() => {
    const { networks } = inject('product');
    for (const name of ['evm', 'solana', 'archive'] as const) {
      const { http, ws } = networks[name];
      const transport = kind === 'http' ? sdk.http({ url: http }) : sdk.webSocket({ url: ws });
      clients[name] = sdk.createClient({ transport });
    }
  });
  afterAll(() => Promise.all(Object.values(clients).map((client) => client.close())));

  test('has a typed method for each method of the service', async () => {
    const { evm, solana } = clients;
    const block = await evm.ethGetBlockByNumber('finalized', false);
    expect(block?.hash).toBe(evmFacts.blocks.finalized.hash);
    const receipt = await evm.ethGetTransactionReceipt(evmFacts.transactions.failed.hash);
    expect(receipt?.status).toBe('0x0');
    expect(await evm.ethGetTransactionByHash(evmFacts.unknown.hash)).toBeNull();
    expect(await evm.ethEstimateGas(evmFacts.estimates.transfer.call)).toBe('0x5208');
    expect(await solana.getProgramAccounts(solanaFacts.programs.empty)).toEqual([]);
  });

  test('gives the result of every example by request()', async () => {
    for (const { method, example } of everyExample()) {
      if (example.result === undefined) continue;
      const client = clients[example['x-network'] as Network];
      const params = example.params.map(({ value }) => value);
      expect(
        await client.request({ method: method.name, params }),
        `${method.name}, ${example.name}`,
      ).toEqual(example.result.value);
    }
  });

  test('throws a typed error for a revert, with its reason and raw data', async () => {
    const { call, error } = evmFacts.failingCalls.reason;
    const thrown = await clients.evm.ethEstimateGas(call).catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(sdk.ExecutionRevertedError);
    const reverted = thrown as sdk.ExecutionRevertedError;
    expect([reverted.code, reverted.revertReason, reverted.data]).toEqual([
      3,
      'boom reason',
      error.data,
    ]);
  });

  test('throws a typed error for invalid params, which says what is wrong', async () => {
    const thrown = await clients.evm
      .ethGetTransactionByHash('0x12')
      .catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(sdk.InvalidParamsError);
    expect((thrown as Error).message).toContain('a 32-byte hash');
  });
});

test('a wrong key is a typed error over HTTP', async () => {
  const url = inject('product').networks.evm.http.replace(/demo$/, `sg_${'z'.repeat(43)}`);
  const client = sdk.createClient({ transport: sdk.http({ url }) });
  const thrown = await client
    .ethGetBlockByNumber('latest', false)
    .catch((caught: unknown) => caught);
  expect(thrown).toMatchObject({ code: 401 });
  expect(String(thrown)).not.toContain('zzzz');
});

describe('the generated client under other libraries', () => {
  test('is a transport of @solana/kit, with exact integers and the node’s errors', async () => {
    const url = inject('product').networks.solana.http;
    const transport = sdk.http({ url, json: sdk.exactJson });
    const rpc = createSolanaRpcFromTransport(sdk.kitTransport(sdk.createClient({ transport })));
    const program = address(solanaFacts.programs.token);
    const accounts = await rpc
      .getProgramAccounts(program, { encoding: 'base64', filters: [{ dataSize: 165n }] })
      .send();
    expect(accounts.length).toBeGreaterThan(0);
    expect(typeof accounts[0]!.account.lamports).toBe('bigint');
    const early = { minContextSlot: BigInt(solanaFacts.slots.processed + 1) };
    await expect(rpc.getProgramAccounts(program, early).send()).rejects.toThrow(/slot/i);
  });

  test('types viem’s request by the methods of the service', async () => {
    const transport = sdk.http({ url: inject('product').networks.evm.http });
    const viem = createPublicClient({
      transport: custom(sdk.createClient({ transport })),
      rpcSchema: rpcSchema<sdk.RpcSchema>(),
    });
    const receipts = await viem.request({
      method: 'eth_getBlockReceipts',
      params: [evmFacts.blocks.tokenTransfers.number],
    });
    expect(receipts?.[0]?.blockHash).toBe(evmFacts.blocks.tokenTransfers.hash);
  });
});
