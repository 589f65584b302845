import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveFacts } from './archive-facts.ts';
import { startArchiveNode } from '../../src/devnet/archive/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { compilePointer } from '../support/schemas.ts';
import { ask, get } from './node-call.ts';

interface Header {
  readonly number: string | null;
  readonly hash: string | null;
}

const { blocks, forks, guestbook, pending, people, slots, transactions, uncles, unknown } =
  archiveFacts;

const heights = Array.from({ length: 11 }, (_, height) => `0x${height.toString(16)}`);

let node: DevnetNode;

beforeAll(async () => {
  node = await startArchiveNode();
});

afterAll(() => node.stop());

function block(parameter: string, inFull = false): Promise<Header> {
  return get<Header>(node, 'eth_getBlockByNumber', parameter, inFull);
}

describe('its identity', () => {
  it.each([
    ['eth_chainId', archiveFacts.chainId],
    ['net_version', String(Number(archiveFacts.chainId))],
    ['eth_blockNumber', blocks.latest.number],
    ['eth_syncing', false],
    ['web3_clientVersion', 'specgate-archive/v1/recorded'],
  ])('%s', async (method, answer) => {
    expect(await get(node, method)).toBe(answer);
  });

  it('answers an unknown method as geth does', async () => {
    expect(await ask(node, 'eth_call', {}, 'latest')).toEqual({
      error: { code: -32601, message: 'the method eth_call does not exist/is not available' },
    });
  });
});

describe('blocks', () => {
  it.each(Object.entries(blocks))('%s is found by number and by hash', async (_name, fact) => {
    const byNumber = await block(fact.number);
    expect(byNumber).toMatchObject(fact);
    expect(await get(node, 'eth_getBlockByHash', fact.hash, false)).toEqual(byNumber);
  });

  it.each([
    ['earliest', blocks.genesis],
    ['latest', blocks.latest],
  ])('the tag %s names the stated block', async (tag, fact) => {
    expect(await block(tag)).toMatchObject(fact);
  });

  it.each(['safe', 'finalized'])('the tag %s names no block before the merge', async (tag) => {
    const error = { code: -32000, message: `${tag} block not found` };
    expect(await ask(node, 'eth_getBlockByNumber', tag, false)).toEqual({ error });
    expect(await ask(node, 'eth_getBlockReceipts', tag)).toEqual({ error });
    expect(await ask(node, 'eth_getProof', people.ada, [], tag)).toEqual({ error });
  });

  it('the pending block has no number, hash, nonce or bloom, and its transactions have no index', async () => {
    const { transactions: inFull, ...rest } = await get<{ transactions: { hash: string }[] }>(
      node,
      'eth_getBlockByNumber',
      'pending',
      true,
    );
    expect(rest).toMatchObject({ number: null, hash: null, nonce: null, logsBloom: null });
    expect(inFull.map(({ hash }) => hash)).toEqual(pending.transactions);
    for (const transaction of inFull) {
      expect(transaction).toMatchObject({
        blockHash: null,
        blockNumber: null,
        transactionIndex: null,
      });
    }
  });

  it('transactions are full objects or hashes', async () => {
    const { hash } = transactions.creation;
    const inFull = await get<{ transactions: unknown[] }>(
      node,
      'eth_getBlockByHash',
      blocks.creation.hash,
      true,
    );
    expect(inFull.transactions[0]).toMatchObject({ hash, to: null });
    const hashes = await get<{ transactions: unknown[] }>(
      node,
      'eth_getBlockByHash',
      blocks.creation.hash,
      false,
    );
    expect(hashes.transactions[0]).toBe(hash);
  });
});

describe('uncles', () => {
  it.each(Object.entries(uncles))('%s is found', async (_name, fact) => {
    const { hash, number, blockNumber, index } = fact;
    const uncle = await get(node, 'eth_getUncleByBlockNumberAndIndex', blockNumber, index);
    expect(uncle).toMatchObject({ hash, number, totalDifficulty: null, uncles: [] });
    expect(uncle).not.toHaveProperty('transactions');
  });

  it('the uncle of the pending block has no number, hash, nonce or bloom', async () => {
    expect(await get(node, 'eth_getUncleByBlockNumberAndIndex', 'pending', '0x0')).toMatchObject({
      number: null,
      hash: null,
      nonce: null,
      logsBloom: null,
    });
  });
});

describe('transactions and receipts', () => {
  it.each(Object.entries(transactions))('%s is found in every way', async (_name, fact) => {
    const { hash, blockNumber, index } = fact;
    const transaction = await get(node, 'eth_getTransactionByHash', hash);
    expect(transaction).toMatchObject({ hash, blockNumber, transactionIndex: index, type: '0x0' });
    const { hash: blockHash } = await block(blockNumber);
    expect(await get(node, 'eth_getTransactionByBlockNumberAndIndex', blockNumber, index)).toEqual(
      transaction,
    );
    expect(await get(node, 'eth_getTransactionByBlockHashAndIndex', blockHash, index)).toEqual(
      transaction,
    );
    const receipts = await get<unknown[]>(node, 'eth_getBlockReceipts', blockNumber);
    expect(await get(node, 'eth_getTransactionReceipt', hash)).toEqual(receipts[Number(index)]);
  });

  it('the receipt of a contract creation has an address, a log and a root', async () => {
    const receipt = await get(node, 'eth_getTransactionReceipt', transactions.creation.hash);
    expect(receipt).toMatchObject({ contractAddress: guestbook, to: null });
    expect(receipt['logs']).toHaveLength(1);
    expect(receipt).toHaveProperty('root');
    expect(receipt).not.toHaveProperty('status');
  });

  it.each([
    ['entryWithStatus', '0x1'],
    ['failedWithStatus', '0x0'],
  ] as const)('the receipt of %s has status %s and no root', async (name, status) => {
    const receipt = await get(node, 'eth_getTransactionReceipt', transactions[name].hash);
    expect(receipt).toMatchObject({ status });
    expect(receipt).not.toHaveProperty('root');
  });

  it('a failure before Byzantium shows only in the gas and the missing logs', async () => {
    const { hash } = transactions.outOfGas;
    const { gas } = await get<{ gas: string }>(node, 'eth_getTransactionByHash', hash);
    const receipt = await get(node, 'eth_getTransactionReceipt', hash);
    expect(receipt).toMatchObject({ gasUsed: gas, logs: [] });
    expect(receipt).toHaveProperty('root');
  });

  it('a pending transaction has no receipt, and pending receipts are those of the latest block', async () => {
    const [hash] = pending.transactions;
    expect(await get(node, 'eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')).toEqual(
      await get(node, 'eth_getTransactionByHash', hash),
    );
    expect(await get(node, 'eth_getTransactionReceipt', hash)).toBeNull();
    expect(await get(node, 'eth_getBlockReceipts', 'pending')).toEqual(
      await get(node, 'eth_getBlockReceipts', 'latest'),
    );
  });
});

describe('what does not exist is null', () => {
  it.each([
    ['eth_getBlockByNumber', [unknown.number, true]],
    ['eth_getBlockByNumber', ['0x7fffffffffffffff', true]],
    ['eth_getBlockByHash', [unknown.hash, true]],
    ['eth_getTransactionByHash', [unknown.hash]],
    ['eth_getTransactionByBlockHashAndIndex', [unknown.hash, '0x0']],
    ['eth_getTransactionByBlockHashAndIndex', [blocks.latest.hash, '0x2']],
    ['eth_getTransactionByBlockNumberAndIndex', [unknown.number, '0x0']],
    ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0xffffffffffffffff']],
    ['eth_getTransactionReceipt', [unknown.hash]],
    ['eth_getBlockReceipts', [unknown.number]],
    ['eth_getUncleByBlockNumberAndIndex', [unknown.number, '0x0']],
    ['eth_getUncleByBlockNumberAndIndex', [blocks.oneUncle.number, '0x1']],
    ['eth_getUncleByBlockNumberAndIndex', ['latest', '0x0']],
  ])('%s %j', async (method, params) => {
    expect(await ask(node, method, ...params)).toEqual({ result: null });
  });

  it('except the receipts of an empty block, which are an empty list', async () => {
    expect(await get(node, 'eth_getBlockReceipts', blocks.empty.number)).toEqual([]);
  });
});

describe('what the document says about results', () => {
  const schema = (name: string): ReturnType<typeof compilePointer> =>
    compilePointer(`/components/schemas/${name}`);
  const validators = {
    Block: schema('Block'),
    UncleBlock: schema('UncleBlock'),
    TransactionReceipt: schema('TransactionReceipt'),
    AccountProof: schema('AccountProof'),
  };

  const expectValid = (name: keyof typeof validators, value: unknown): void => {
    validators[name](value);
    expect(validators[name].errors).toBeNull();
  };

  it.each([...heights, 'pending'])('holds for block %s and everything in it', async (height) => {
    const inFull = await get<{ uncles: string[] }>(node, 'eth_getBlockByNumber', height, true);
    expectValid('Block', inFull);
    expectValid('Block', await block(height));
    for (const index of inFull.uncles.keys()) {
      const position = `0x${index.toString(16)}`;
      expectValid(
        'UncleBlock',
        await get(node, 'eth_getUncleByBlockNumberAndIndex', height, position),
      );
    }
    for (const receipt of await get<unknown[]>(node, 'eth_getBlockReceipts', height)) {
      expectValid('TransactionReceipt', receipt);
    }
  });

  it('holds for proofs', async () => {
    for (const address of [people.ada, guestbook, unknown.address]) {
      const proof = await get(node, 'eth_getProof', address, Object.values(slots), 'latest');
      expectValid('AccountProof', proof);
    }
  });

  it('holds the forks’ heights', () => {
    expect([forks.homestead, forks.byzantium]).toEqual([
      blocks.homestead.number,
      blocks.byzantium.number,
    ]);
  });
});
