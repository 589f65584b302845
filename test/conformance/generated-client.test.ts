/** The generated TypeScript client against the gateway. */
import { address, createSolanaRpcFromTransport } from '@solana/kit';
import { BrowserProvider } from 'ethers';
import {
  type BaseError,
  createPublicClient,
  custom,
  ExecutionRevertedError,
  rpcSchema,
} from 'viem';
import { WebSocket as WsWebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import * as sdk from '../../generated/client/src/index.ts';
import { evmFacts } from '../devnet/evm-facts.ts';
import { solanaFacts } from '../devnet/solana-facts.ts';
import { everyExample } from '../support/document.ts';

const { blocks, contracts, failingCalls } = evmFacts;

type Client = ReturnType<typeof sdk.createClient>;
type Network = 'evm' | 'solana' | 'archive';

/** Returns the code of a contract that reverts with `data`, hexadecimal digits, which end the code. */
function codeThatReverts(data: string): `0x${string}` {
  const bytes = (data.length / 2).toString(16).padStart(2, '0');
  // PUSH1 bytes, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 bytes, PUSH1 0, REVERT
  return `0x60${bytes}600c60003960${bytes}6000fd${data}`;
}

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

  test('gives a reason of a revert only if it was decoded', async () => {
    const to = `0x${'ee'.repeat(20)}` as const;
    const word = (digits: string): string => digits.padStart(64, '0');
    // anvil has its own words for data that is not ABI-encoded.
    const cases = [
      [`4e487b71${word('12')}`, 'panic: division or modulo by zero (0x12)', undefined],
      ['', null, 'execution reverted'],
      ['deadbeef', null, 'execution reverted: custom error 0xdeadbeef'],
      ['deadbeef01', null, 'execution reverted: custom error 0xdeadbeef: \u0001'],
      ['6e6f7420656e6f75676820746f6b656e73', null, 'execution reverted: not enough tokens'],
      [`08c379a0${word('20')}`, null, 'execution reverted'],
    ] as const;
    for (const [data, reason, message = `execution reverted: ${reason}`] of cases) {
      const override = { [to]: { code: codeThatReverts(data) } };
      const thrown = (await clients.evm
        .ethEstimateGas({ to }, 'latest', override)
        .catch((caught: unknown) => caught)) as sdk.ExecutionRevertedError;
      const { revertReason } = thrown;
      expect([thrown.message, revertReason, thrown.data], data).toEqual([
        message,
        reason,
        `0x${data}`,
      ]);
    }
  });

  test('throws a typed error for invalid params, which says what is wrong', async () => {
    const thrown = await clients.evm
      .ethGetTransactionByHash('0x12')
      .catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(sdk.InvalidParamsError);
    expect((thrown as Error).message).toContain('a 32-byte hash');
  });
});

describe.each([
  ['HTTP', 'http', undefined],
  ['WebSocket', 'ws', undefined],
  ['the WebSocket of the ws package', 'ws', WsWebSocket],
] as const)('a wrong key over %s', (_, kind, WebSocket) => {
  test('is a typed error at once, and its stack shows the caller', async () => {
    const url = inject('product').networks.evm[kind].replace(/demo$/, `sg_${'z'.repeat(43)}`);
    const transport = kind === 'ws' ? sdk.webSocket({ url, WebSocket }) : sdk.http({ url });
    const attempts: number[] = [];
    const onRequest = ({ attempt }: sdk.Attempt) => attempts.push(attempt);
    const client = sdk.createClient({ transport, onRequest });
    const callWithWrongKey = async () => await client.ethGetBlockByNumber('latest', false);
    const thrown = await callWithWrongKey().catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(sdk.KeyUnknownError);
    expect(thrown).toMatchObject({ code: 401, reason: 'key_unknown', retryable: false });
    expect(attempts).toEqual([1]);
    expect((thrown as Error).stack).toMatch(/^KeyUnknownError: .*at (?:async )?callWithWrongKey/s);
    expect((thrown as Error).stack).not.toContain('zzzz');
    client.close();
  });
});

test('an error of withResponse() and of a batch shows the caller in its stack too', async () => {
  const { http } = inject('product').networks.evm;
  const client = sdk.createClient({ transport: sdk.http({ url: http }) });
  const askForResponse = async () => await client.ethGetTransactionByHash('0x12').withResponse();
  const askTogether = async () =>
    await Promise.all(
      (['0x12', '0x34'] as const).map((hash) => client.ethGetTransactionByHash(hash)),
    );
  for (const ask of [askForResponse, askTogether]) {
    const thrown = (await ask().catch((caught: unknown) => caught)) as Error;
    expect(thrown.stack).toMatch(
      new RegExp(`^InvalidParamsError: .*at (?:async )?${ask.name}`, 's'),
    );
  }
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

  test('answers viem as a custom transport, reverts included', async () => {
    const transport = sdk.http({ url: inject('product').networks.evm.http });
    const viem = createPublicClient({ transport: custom(sdk.createClient({ transport })) });
    expect(await viem.getChainId()).toBe(31_337);
    const proof = await viem.getProof({
      address: contracts.token,
      storageKeys: [`0x${'0'.repeat(64)}`],
    });
    expect(proof).toMatchObject({ nonce: 1, balance: 0n });
    expect(proof.storageProof[0]?.value).toBeGreaterThan(0n);
    const { from: account, to, data } = failingCalls.reason.call;
    const thrown = await viem
      .estimateGas({ account, to, data, prepare: false } as never)
      .catch((caught: unknown) => caught as BaseError);
    const revert = (thrown as BaseError).walk((each) => each instanceof ExecutionRevertedError);
    expect(revert, String(thrown)).toBeInstanceOf(ExecutionRevertedError);
    expect(String(thrown)).toContain('boom reason');
  });

  test('answers ethers as an Eip1193Provider, reverts included', async () => {
    const transport = sdk.http({ url: inject('product').networks.evm.http });
    const provider = new BrowserProvider(sdk.createClient({ transport }));
    try {
      expect((await provider.getNetwork()).chainId).toBe(31_337n);
      expect(await provider.getBlockNumber()).toBe(Number(blocks.latest.number));
      const { call, error } = failingCalls.reason;
      await expect(provider.estimateGas(call)).rejects.toMatchObject({
        code: 'CALL_EXCEPTION',
        reason: 'boom reason',
        data: error.data,
      });
    } finally {
      provider.destroy();
    }
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
