/** What unmodified viem, ethers and @solana/kit do beyond single calls, which `test/libraries` makes. */
import { address, createSolanaRpc, type Base58EncodedBytes } from '@solana/kit';
import { JsonRpcProvider, WebSocketProvider, isCallException } from 'ethers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  createPublicClient,
  http,
  parseEther,
  webSocket,
  type BaseError,
  ContractFunctionExecutionError,
  ExecutionRevertedError,
  HttpRequestError,
  RpcRequestError,
  type PublicClient,
} from 'viem';
import { anvil } from 'viem/chains';
import { evmFacts } from '../devnet/evm-facts.ts';
import { post } from '../support/wire.ts';
import { solanaFacts } from '../devnet/solana-facts.ts';

const { blocks, transactions, accounts, contracts, failingCalls } = evmFacts;

describe.each(['http', 'http, batched', 'websocket'] as const)('viem over %s', (kind) => {
  let client: PublicClient;
  beforeAll(() => {
    const { evm } = inject('product').networks;
    const transport =
      kind === 'websocket'
        ? webSocket(evm.ws)
        : http(evm.http, { batch: kind === 'http, batched' });
    client = createPublicClient({ chain: anvil, transport, ccipRead: false }) as PublicClient;
  });
  afterAll(async () => {
    if (kind === 'websocket') (await client.transport['getRpcClient']()).close();
  });

  test('reads blocks, transactions and receipts, many at once', async () => {
    const [block, transaction, byIndex, receipt] = await Promise.all([
      client.getBlock({
        blockNumber: BigInt(blocks.tokenTransfers.number),
        includeTransactions: true,
      }),
      client.getTransaction({ hash: transactions.dynamicTransfer.hash }),
      client.getTransaction({ blockHash: blocks.tokenTransfers.hash, index: 2 }),
      client.getTransactionReceipt({ hash: transactions.tokenTransfer.hash }),
    ]);
    expect(block.transactions.map(({ hash }) => hash)).toContain(transaction.hash);
    expect(byIndex).toEqual(transaction);
    expect(transaction).toMatchObject({ type: 'eip1559', value: parseEther('1') });
    expect(receipt).toMatchObject({
      status: 'success',
      blockNumber: BigInt(blocks.tokenTransfers.number),
    });
    expect(receipt.logs).toHaveLength(1);
  });

  test('asks for the chain and the newest block, and watches it', async () => {
    expect(await client.getChainId()).toBe(31337);
    const latest = BigInt(blocks.latest.number);
    expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(latest);
    const seen = await new Promise<bigint>((resolve, reject) => {
      const unwatch = client.watchBlockNumber({
        emitOnBegin: true,
        poll: true,
        onBlockNumber(number) {
          unwatch();
          resolve(number);
        },
        onError: reject,
      });
    });
    expect(seen).toBe(latest);
  });

  test('waits for a receipt with confirmations', async () => {
    const { hash } = transactions.dynamicTransfer;
    const receipt = await client.waitForTransactionReceipt({ hash, confirmations: 2 });
    expect(receipt).toMatchObject({ transactionHash: hash, status: 'success' });
  });

  test('estimates, a contract creation without to included', async () => {
    expect(
      await client.estimateGas({
        account: accounts.alice,
        to: accounts.bob,
        value: 1n,
        prepare: false,
      } as never),
    ).toBe(21000n);
    expect(
      await client.request({
        method: 'eth_estimateGas',
        params: [{ from: accounts.alice, data: evmFacts.estimates.creation.call.data }],
      }),
    ).toBe(evmFacts.estimates.creation.gas);
  });

  test('understands a revert', async () => {
    const failing = client.estimateGas({
      account: accounts.alice,
      to: contracts.reverter,
      data: failingCalls.reason.call.data,
      prepare: false,
    } as never);
    const error = await failing.then(
      () => undefined,
      (thrown: unknown) => thrown as BaseError,
    );
    expect(
      error?.walk((cause) => cause instanceof ExecutionRevertedError),
      String(error),
    ).toBeInstanceOf(ExecutionRevertedError);
    expect(error?.message).toContain('boom reason');
  });

  test('an unknown block is its BlockNotFoundError', async () => {
    await expect(client.getBlock({ blockNumber: BigInt(evmFacts.unknown.number) })).rejects.toThrow(
      /could not be found/,
    );
  });
});

describe('viem and refusals', () => {
  test('a wrong key is an error that carries the code and is not retried for long', async () => {
    const { evm } = inject('product').networks;
    const client = createPublicClient({
      transport: http(evm.http.replace(/demo$/, `sg_${'x'.repeat(43)}`)),
    });
    const error = await client.getBlock().then(
      () => undefined,
      (thrown: unknown) => thrown as BaseError,
    );
    const cause = error?.walk(
      (one) => one instanceof RpcRequestError || one instanceof HttpRequestError,
    );
    expect(cause, String(error)).toBeDefined();
    expect(String(error)).toContain('API key');
    expect(error).not.toBeInstanceOf(ContractFunctionExecutionError);
  });
});

describe.each(['http', 'websocket'] as const)('ethers over %s, without a given network', (kind) => {
  test('finds the network, reads the newest block and waits for a transaction', async () => {
    const { evm } = inject('product').networks;
    const provider =
      kind === 'websocket' ? new WebSocketProvider(evm.ws) : new JsonRpcProvider(evm.http);
    try {
      expect((await provider.getNetwork()).chainId).toBe(31337n);
      expect(await provider.getBlockNumber()).toBe(Number(blocks.latest.number));
      const { hash } = transactions.dynamicTransfer;
      expect((await provider.waitForTransaction(hash, 2))?.hash).toBe(hash);
    } finally {
      await provider.destroy();
    }
  });
});

describe('ethers', () => {
  let provider: JsonRpcProvider;
  beforeAll(() => {
    provider = new JsonRpcProvider(inject('product').networks.evm.http);
  });
  afterAll(() => provider.destroy());

  test('reads blocks, transactions and receipts', async () => {
    const block = await provider.getBlock(blocks.tokenTransfers.hash, true);
    expect(block?.number).toBe(Number(blocks.tokenTransfers.number));
    expect(block?.prefetchedTransactions).toHaveLength(3);
    const transaction = (await provider.send('eth_getTransactionByHash', [
      transactions.legacyTransfer.hash,
    ])) as { hash: string };
    expect(transaction.hash).toBe(transactions.legacyTransfer.hash);
    const receipt = await provider.getTransactionReceipt(transactions.creation.hash);
    expect(receipt?.contractAddress?.toLowerCase()).toBe(contracts.token);
    expect(await provider.getTransactionReceipt(evmFacts.unknown.hash)).toBeNull();
  });

  test('estimates, and reads a revert as a call exception with its reason', async () => {
    expect(await provider.estimateGas({ from: accounts.alice, to: accounts.bob, value: 1n })).toBe(
      21000n,
    );
    const error = await provider.estimateGas(failingCalls.reason.call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(isCallException(error), String(error)).toBe(true);
    expect(String(error)).toContain('boom reason');
  });
});

describe('ethers-like clients', () => {
  test('may send null for what they leave out', async () => {
    const call = { from: accounts.alice, to: accounts.bob, gas: null, gasPrice: null, data: null };
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_estimateGas', params: [call, null] };
    const { json } = await post(inject('product').networks.evm.http, JSON.stringify(body));
    expect(json).toMatchObject({ result: '0x5208' });
  });
});

describe('@solana/kit', () => {
  test('asks for token accounts of an owner', async () => {
    const rpc = createSolanaRpc(inject('product').networks.solana.http as 'http://127.0.0.1');
    const accountsOfBob = await rpc
      .getProgramAccounts(address(solanaFacts.programs.token), {
        encoding: 'jsonParsed',
        filters: [
          { dataSize: 165n },
          {
            memcmp: {
              offset: 32n,
              bytes: solanaFacts.people.bob as Base58EncodedBytes,
              encoding: 'base58',
            },
          },
        ],
      })
      .send();
    expect(accountsOfBob.map(({ pubkey }) => pubkey)).toEqual([
      solanaFacts.tokenAccounts.bobFrozen,
    ]);
    // An unsigned 64-bit integer, exact to the last digit.
    expect(
      (accountsOfBob[0]!.account as unknown as { rentEpoch: bigint }).rentEpoch ??
        solanaFacts.rentEpoch,
    ).toBe(solanaFacts.rentEpoch);
  });

  test('reads the error of the node', async () => {
    const rpc = createSolanaRpc(inject('product').networks.solana.http as 'http://127.0.0.1');
    await expect(
      rpc
        .getProgramAccounts(address(solanaFacts.programs.empty), {
          minContextSlot: BigInt(solanaFacts.slots.processed + 1),
        })
        .send(),
    ).rejects.toThrow(/slot/i);
  });
});
