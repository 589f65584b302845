import { createHash } from 'node:crypto';

/** What the fake node knows: everything is computed from names, so each run measures the same bytes. */

const RECEIPTS = 640;

/** A 32-byte hash that stands for `name`. */
export function hashOf(name: string): string {
  return `0x${createHash('sha256').update(name).digest('hex')}`;
}

function addressOf(name: string): string {
  return hashOf(name).slice(0, 42);
}

function wordOf(value: number): string {
  return value.toString(16).padStart(64, '0');
}

/** A call of a contract, the most frequent transaction of a busy chain; about 1 KB. */
export function transaction(hash: string): object {
  return {
    type: '0x2',
    chainId: '0x1',
    nonce: '0x1a4',
    gas: '0xfde8',
    maxFeePerGas: '0x6fc23ac00',
    maxPriorityFeePerGas: '0x3b9aca00',
    to: addressOf('exchange'),
    value: '0x0',
    accessList: [],
    input: `0x3df02124${[0, 1, 1_500_000_000, 1_490_000_000].map(wordOf).join('')}`,
    r: hashOf('r'),
    s: hashOf('s'),
    yParity: '0x1',
    v: '0x1',
    hash,
    blockHash: hashOf('block'),
    blockNumber: '0x13a5f2c',
    transactionIndex: '0x5b',
    from: addressOf('payer'),
    gasPrice: '0x5d21dba00',
  };
}

/** The receipts of a full block, each with the log of a token transfer; about 1 MB. */
export function receipts(): readonly object[] {
  return Array.from({ length: RECEIPTS }, (_, index) => receipt(index));
}

function receipt(index: number): object {
  const place = {
    blockHash: hashOf('block'),
    blockNumber: '0x13a5f2c',
    transactionHash: hashOf(`transaction ${index}`),
    transactionIndex: `0x${index.toString(16)}`,
  };
  const log = {
    ...place,
    address: addressOf('token'),
    topics: [hashOf('Transfer'), `0x${wordOf(index)}`, `0x${wordOf(index + 1)}`],
    data: `0x${wordOf(1_500_000_000)}`,
    logIndex: `0x${index.toString(16)}`,
    removed: false,
  };
  return {
    ...place,
    type: '0x2',
    from: addressOf(`payer ${index}`),
    to: addressOf('token'),
    contractAddress: null,
    cumulativeGasUsed: `0x${(41_000 * (index + 1)).toString(16)}`,
    gasUsed: '0xa028',
    effectiveGasPrice: '0x5d21dba00',
    logs: [log],
    logsBloom: `0x${hashOf('bloom').slice(2).repeat(8)}`,
    status: '0x1',
  };
}

/** The newest block as far as a gateway that follows the chain looks at it. */
export function block(): object {
  return {
    number: '0x13a5f2c',
    hash: hashOf('block'),
    parentHash: hashOf('parent'),
    gasLimit: '0x2255100',
    gasUsed: '0x1312d00',
    timestamp: '0x6553f124',
    transactions: [],
  };
}
