import { getContractAddress, keccak256, pad, toHex, concat, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evmFacts } from './evm-facts.ts';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { compilePointer } from '../support/schemas.ts';
import { ask, get } from './node-call.ts';

interface Receipt {
  readonly status: string;
  readonly contractAddress: string | null;
  readonly logs: readonly { readonly topics: readonly string[] }[];
}

const { accounts, blocks, contracts, estimates, failingCalls, slots, transactions, unknown } =
  evmFacts;

let node: DevnetNode;

beforeAll(async () => {
  node = await startEvmNode();
});

afterAll(() => node.stop());

function receiptOf(hash: string): Promise<Receipt> {
  return get<Receipt>(node, 'eth_getTransactionReceipt', hash);
}

describe('the blocks', () => {
  it.each(Object.entries(blocks))('%s has the stated number and hash', async (_name, fact) => {
    const block = await get(node, 'eth_getBlockByNumber', fact.number, false);
    expect(block).toMatchObject(fact);
  });

  it.each([
    ['earliest', blocks.genesis],
    ['finalized', blocks.finalized],
    ['safe', blocks.safe],
    ['latest', blocks.latest],
  ])('the tag %s names the stated block', async (tag, fact) => {
    expect(await get(node, 'eth_getBlockByNumber', tag, false)).toMatchObject(fact);
  });

  it.each([
    [blocks.firstTransfer, 1],
    [blocks.creations, 3],
    [blocks.tokenTransfers, 3],
    [blocks.accessLists, 2],
    [blocks.failed, 1],
    [blocks.empty, 0],
    [blocks.finalized, 4],
    [blocks.latest, 2],
  ])('block $number has the stated number of transactions', async ({ hash }, count) => {
    const block = await get(node, 'eth_getBlockByHash', hash, false);
    expect(block['transactions']).toHaveLength(count);
  });

  it('has no block at the unknown hash and height', async () => {
    expect(await get(node, 'eth_getBlockByHash', unknown.hash, false)).toBeNull();
    expect(await get(node, 'eth_getBlockByNumber', unknown.number, false)).toBeNull();
    expect(await get(node, 'eth_getTransactionByHash', unknown.hash)).toBeNull();
    expect(await get(node, 'eth_getTransactionReceipt', unknown.hash)).toBeNull();
  });
});

describe('the transactions', () => {
  it.each(Object.entries(transactions))('%s is where it is said to be', async (_name, fact) => {
    const { hash, blockNumber, index } = fact;
    expect(
      await get(node, 'eth_getTransactionByBlockNumberAndIndex', blockNumber, index),
    ).toMatchObject({ hash, blockNumber, transactionIndex: index });
  });

  it.each([
    ['legacyTransfer', '0x0'],
    ['accessListCall', '0x1'],
    ['dynamicTransfer', '0x2'],
    ['dynamicAccessListCall', '0x2'],
  ] as const)('%s has the type %s', async (name, type) => {
    expect(await get(node, 'eth_getTransactionByHash', transactions[name].hash)).toMatchObject({
      type,
    });
  });

  it.each(['accessListCall', 'dynamicAccessListCall'] as const)(
    '%s announces storage',
    async (name) => {
      const { accessList } = await get<{ accessList: unknown }>(
        node,
        'eth_getTransactionByHash',
        transactions[name].hash,
      );
      expect(accessList).toEqual(estimates.withAccessList.call.accessList);
    },
  );

  it.each(['failed', 'failedAmongOthers'] as const)('%s has status 0', async (name) => {
    expect((await receiptOf(transactions[name].hash)).status).toBe('0x0');
  });

  it('all other transactions have status 1', async () => {
    const others = Object.entries(transactions).filter(([name]) => !name.startsWith('failed'));
    for (const [, { hash }] of others) expect((await receiptOf(hash)).status).toBe('0x1');
  });

  it('the creation created the token', async () => {
    expect((await receiptOf(transactions.creation.hash)).contractAddress).toBe(contracts.token);
  });

  it('manyTopics has logs of three, four and no topics', async () => {
    const { logs } = await receiptOf(transactions.manyTopics.hash);
    expect(logs.map(({ topics }) => topics.length)).toEqual([3, 4, 0]);
  });

  it('the pending transaction stays pending: it has no block and no receipt', async () => {
    const hash = evmFacts.pendingTransaction;
    expect(await get(node, 'eth_getTransactionByHash', hash)).toMatchObject({
      hash,
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
    });
    expect(await get(node, 'eth_getTransactionReceipt', hash)).toBeNull();
    expect(await get(node, 'eth_getBlockByNumber', 'pending', false)).toMatchObject({
      transactions: [hash],
    });
    expect(await get(node, 'eth_blockNumber')).toBe(blocks.latest.number);
  });
});

describe('the contracts', () => {
  it('are at the addresses of alice’s nonces 1 to 3', () => {
    const addresses = [1n, 2n, 3n].map((nonce) =>
      getContractAddress({ from: accounts.alice, nonce }).toLowerCase(),
    );
    expect(addresses).toEqual([contracts.token, contracts.reverter, contracts.cashier]);
  });

  it('keep their state in the named slots', async () => {
    const entry = (key: Hex, slot: Hex): Hex => keccak256(concat([pad(key), slot]));
    const balances = pad(toHex(1));
    expect(slots).toEqual({
      totalSupply: pad('0x0'),
      balanceOfAlice: entry(accounts.alice, balances),
      balanceOfBob: entry(accounts.bob, balances),
      balanceOfCashier: entry(contracts.cashier, balances),
      allowanceOfCashier: entry(contracts.cashier, entry(accounts.bob, pad(toHex(2)))),
    });
    const { storageProof } = await get<{ storageProof: { value: string }[] }>(
      node,
      'eth_getProof',
      contracts.token,
      Object.values(slots),
      'latest',
    );
    expect(storageProof.map(({ value }) => Number(value))).toEqual([
      1_000_000,
      1_000_000 - 1000 - 500 - 25 - 7,
      1000 - 150 + 7,
      150,
      150,
    ]);
  });
});

describe('gas estimates', () => {
  it.each(Object.entries(estimates))('%s takes the stated gas', async (_name, { call, gas }) => {
    expect(await get(node, 'eth_estimateGas', call)).toBe(gas);
  });

  it('an access list makes the cashier’s call cheaper', () => {
    expect(Number(estimates.withAccessList.gas)).toBeLessThan(
      Number(estimates.withoutAccessList.gas),
    );
  });

  it.each(Object.entries(failingCalls))(
    '%s fails with the stated error',
    async (_name, { call, error }) => {
      expect(await ask(node, 'eth_estimateGas', call)).toEqual({ error });
    },
  );
});

describe('what the document says about results', () => {
  const chain = ['earliest', '0x2', '0x3', '0x5', '0x6', 'finalized', 'latest', 'pending'];
  const block = compilePointer('/components/schemas/Block');
  const receipt = compilePointer('/components/schemas/TransactionReceipt');

  it.each(chain)('holds for the block %s, with full transactions and with hashes', async (tag) => {
    for (const full of [true, false]) {
      block(await get(node, 'eth_getBlockByNumber', tag, full));
      expect(block.errors).toBeNull();
    }
  });

  it('holds for every receipt', async () => {
    for (const { hash } of Object.values(transactions)) {
      receipt(await receiptOf(hash));
      expect(receipt.errors).toBeNull();
    }
  });

  it('holds for a proof', async () => {
    const proof = compilePointer('/components/schemas/AccountProof');
    proof(await get(node, 'eth_getProof', contracts.token, Object.values(slots), 'latest'));
    expect(proof.errors).toBeNull();
  });
});

it('the facts are frozen', () => {
  expect(Object.isFrozen(evmFacts)).toBe(true);
  expect(Object.isFrozen(evmFacts.blocks.latest)).toBe(true);
});
