/** The interface description of the EVM methods, sentence by sentence, through the gateway. */
import { describe, expect, test } from 'vitest';
import { evmFacts } from '../devnet/evm-facts.ts';
import { result, type Fields } from './evm-calls.ts';

const { blocks, transactions, unknown } = evmFacts;

describe('networks', () => {
  test('the address, not a parameter, selects the network', async () => {
    const here = await result('eth_getBlockByNumber', ['earliest', false]);
    const there = await result('eth_getBlockByNumber', ['earliest', false], 'archive');
    expect(here['hash']).toBe(blocks.genesis.hash);
    expect(there['hash']).not.toBe(here['hash']);
  });

  test('all five tags name a block', async () => {
    const named = expect.objectContaining({ parentHash: expect.any(String) as string }) as object;
    for (const tag of ['latest', 'earliest', 'pending', 'safe', 'finalized']) {
      expect(await result('eth_getBlockByNumber', [tag, false]), tag).toEqual(named);
    }
    for (const tag of ['latest', 'earliest', 'pending']) {
      expect(await result('eth_getBlockByNumber', [tag, false], 'archive'), tag).toEqual(named);
    }
    // Before the merge no block is safe or final.
    expect(await result('eth_getBlockByNumber', ['finalized', false], 'archive')).toBeNull();
    expect(await result('eth_getBlockByNumber', ['safe', false], 'archive')).toBeNull();
    expect(await result('eth_getBlockByNumber', ['safe', false])).toMatchObject(blocks.safe);
    expect(await result('eth_getBlockByNumber', ['finalized', false])).toMatchObject(
      blocks.finalized,
    );
    expect(await result('eth_getBlockByNumber', ['latest', false])).toMatchObject(blocks.latest);
  });
});

describe('transactions', () => {
  test('all three lookups of a transaction return the same object', async () => {
    const { hash, blockNumber, index } = transactions.dynamicTransfer;
    const byHash = await result('eth_getTransactionByHash', [hash]);
    expect(byHash).toMatchObject({ hash, blockNumber, transactionIndex: index });
    expect(await result('eth_getTransactionByBlockNumberAndIndex', [blockNumber, index])).toEqual(
      byHash,
    );
    expect(
      await result('eth_getTransactionByBlockHashAndIndex', [byHash['blockHash'], index]),
    ).toEqual(byHash);
  });

  test('transactions of each type carry the fields of their type', async () => {
    const legacy = await result('eth_getTransactionByHash', [transactions.legacyTransfer.hash]);
    expect(legacy['type']).toBe('0x0');
    expect(legacy).not.toHaveProperty('maxFeePerGas');
    const listed = await result('eth_getTransactionByHash', [transactions.accessListCall.hash]);
    expect(listed['type']).toBe('0x1');
    expect(listed['accessList']).toContainEqual({
      address: expect.stringMatching(/^0x[0-9a-f]{40}$/) as string,
      storageKeys: expect.arrayContaining([expect.stringMatching(/^0x[0-9a-f]{64}$/)]) as string[],
    });
    const dynamic = await result('eth_getTransactionByHash', [transactions.dynamicTransfer.hash]);
    expect(dynamic).toMatchObject({
      type: '0x2',
      chainId: evmFacts.chainId,
      maxFeePerGas: expect.any(String) as string,
      maxPriorityFeePerGas: expect.any(String) as string,
    });
  });

  test('a contract creation has no receiver', async () => {
    expect(await result('eth_getTransactionByHash', [transactions.creation.hash])).toMatchObject({
      to: null,
    });
    const receipt = await result('eth_getTransactionReceipt', [transactions.creation.hash]);
    expect(receipt).toMatchObject({ to: null, contractAddress: evmFacts.contracts.token });
  });

  test('a pending transaction has no block: hash, number and index are null', async () => {
    const pending = await result('eth_getTransactionByHash', [evmFacts.pendingTransaction]);
    expect(pending).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null });
  });

  test('a pending transaction has no receipt', async () => {
    expect(await result('eth_getTransactionReceipt', [evmFacts.pendingTransaction])).toBeNull();
  });
});

describe('blocks', () => {
  test('a block is the same by hash as by number', async () => {
    const { hash, number } = blocks.accessLists;
    const byHash = await result('eth_getBlockByHash', [hash, true]);
    expect(byHash).toMatchObject({ hash, number });
    expect(await result('eth_getBlockByNumber', [number, true])).toEqual(byHash);
  });

  test('the flag for transaction details selects objects or hashes', async () => {
    const { hash, number } = blocks.tokenTransfers;
    for (const [method, block] of [
      ['eth_getBlockByHash', hash],
      ['eth_getBlockByNumber', number],
    ] as const) {
      const full = (await result(method, [block, true]))['transactions'] as Fields[];
      const short = (await result(method, [block, false]))['transactions'];
      expect(full).toHaveLength(3);
      expect(short).toEqual(full.map((transaction) => transaction['hash']));
      expect(full[0]).toEqual(await result('eth_getTransactionByHash', [full[0]!['hash']]));
    }
  });

  test('the pending block of the development network is complete, as its description says', async () => {
    const [latest, pending] = [
      await result('eth_getBlockByNumber', ['latest', false]),
      await result('eth_getBlockByNumber', ['pending', false]),
    ];
    expect(BigInt(pending['number'] as string)).toBe(BigInt(latest['number'] as string) + 1n);
    for (const field of ['hash', 'logsBloom', 'nonce', 'miner']) {
      expect(pending[field], field).toMatch(/^0x[0-9a-f]+$/);
    }
  });

  test('the recorded chain has fields that exist only before the merge', async () => {
    const pending = await result('eth_getBlockByNumber', ['pending', true], 'archive');
    expect(pending).toMatchObject({ number: null, hash: null, nonce: null, logsBloom: null });
    expect((pending['transactions'] as Fields[])[0]).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
    });
    const latest = await result('eth_getBlockByNumber', ['latest', false], 'archive');
    expect(latest['totalDifficulty']).toMatch(/^0x[1-9a-f]/);
    const height = Number(latest['number']);
    const uncles: Fields[] = [];
    const receipts: Fields[] = [];
    for (let number = 0; number <= height; number += 1) {
      const quantity = `0x${number.toString(16)}`;
      const block = await result('eth_getBlockByNumber', [quantity, false], 'archive');
      for (const [index, hash] of (block['uncles'] as string[]).entries()) {
        const uncle = await result(
          'eth_getUncleByBlockNumberAndIndex',
          [quantity, `0x${index}`],
          'archive',
        );
        expect(uncle['hash']).toBe(hash);
        expect(uncle).not.toHaveProperty('transactions');
        uncles.push(uncle);
      }
      receipts.push(...(await result<Fields[]>('eth_getBlockReceipts', [quantity], 'archive')));
    }
    expect(uncles.length).toBeGreaterThan(0);
    expect(uncles.some((uncle) => uncle['totalDifficulty'] === null)).toBe(true);
    const early = receipts.filter((receipt) => 'root' in receipt);
    expect(early.length).toBeGreaterThan(0);
    expect(
      early.every(
        (receipt) => !('status' in receipt) && /^0x[0-9a-f]{64}$/.test(String(receipt['root'])),
      ),
    ).toBe(true);
  });
});

describe('receipts', () => {
  test('the receipts of a block are those of its transactions, in order', async () => {
    const receipts = await result<Fields[]>('eth_getBlockReceipts', [blocks.tokenTransfers.number]);
    const hashes = (await result('eth_getBlockByNumber', [blocks.tokenTransfers.number, false]))[
      'transactions'
    ] as string[];
    expect(receipts.map((receipt) => receipt['transactionHash'])).toEqual(hashes);
    for (const receipt of receipts)
      expect(await result('eth_getTransactionReceipt', [receipt['transactionHash']])).toEqual(
        receipt,
      );
    expect(await result('eth_getBlockReceipts', [blocks.empty.number])).toEqual([]);
  });

  test('receipts accept a block as hexadecimal, decimal, number or tag', async () => {
    const wanted = await result('eth_getBlockReceipts', [blocks.finalized.number]);
    const height = Number(blocks.finalized.number);
    for (const name of [
      height,
      String(height),
      'finalized',
      blocks.finalized.number.toUpperCase().replace('0X', '0x'),
    ]) {
      expect(await result('eth_getBlockReceipts', [name]), String(name)).toEqual(wanted);
    }
  });

  test('pending receipts are the receipts of the latest block', async () => {
    const latest = await result<Fields[]>('eth_getBlockReceipts', ['latest']);
    expect(latest.length).toBeGreaterThan(0);
    expect(await result('eth_getBlockReceipts', ['pending'])).toEqual(latest);
  });

  test('a failed transaction has status 0x0, a successful one 0x1', async () => {
    expect(await result('eth_getTransactionReceipt', [transactions.failed.hash])).toMatchObject({
      status: '0x0',
    });
    expect(
      await result('eth_getTransactionReceipt', [transactions.tokenTransfer.hash]),
    ).toMatchObject({ status: '0x1' });
  });

  test('the effective gas price of a transaction before EIP-1559 is its gas price', async () => {
    const transaction = await result('eth_getTransactionByHash', [
      transactions.legacyTransfer.hash,
    ]);
    const receipt = await result('eth_getTransactionReceipt', [transactions.legacyTransfer.hash]);
    expect(receipt['effectiveGasPrice']).toBe(transaction['gasPrice']);
  });
});

describe('not found', () => {
  test('an item that does not exist is null', async () => {
    const calls: [string, unknown[]][] = [
      ['eth_getTransactionByHash', [unknown.hash]],
      ['eth_getTransactionReceipt', [unknown.hash]],
      ['eth_getTransactionByBlockHashAndIndex', [unknown.hash, '0x0']],
      ['eth_getTransactionByBlockHashAndIndex', [blocks.latest.hash, '0xff']],
      ['eth_getTransactionByBlockNumberAndIndex', [unknown.number, '0x0']],
      ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0xff']],
      ['eth_getBlockByHash', [unknown.hash, false]],
      ['eth_getBlockByNumber', [unknown.number, false]],
      ['eth_getUncleByBlockNumberAndIndex', ['latest', '0x0']],
      ['eth_getUncleByBlockNumberAndIndex', [unknown.number, '0x0']],
      ['eth_getBlockReceipts', [unknown.number]],
    ];
    for (const [method, params] of calls) {
      expect(await result(method, params), `${method} ${JSON.stringify(params)}`).toBeNull();
      if (JSON.stringify(params).includes('0xff')) continue;
      expect(
        await result(
          method,
          params.map((one) => (one === blocks.latest.hash ? unknown.hash : one)),
          'archive',
        ),
        `archive ${method}`,
      ).toBeNull();
    }
  });
});
