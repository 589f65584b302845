import type { Block, BlockHeader } from '@ethereumjs/block';
import { RLP } from '@ethereumjs/rlp';
import type { LegacyTx } from '@ethereumjs/tx';
import { bigIntToHex, bytesToHex, setLengthLeft, bigIntToBytes } from '@ethereumjs/util';
import type { RunTxResult } from '@ethereumjs/vm';
import type {
  BlockRecord,
  Entry,
  HeaderRecord,
  ReceiptRecord,
  TransactionRecord,
  UncleRecord,
} from './records.ts';
import type { MinedBlock } from './miner.ts';

function quantity(value: bigint | number): string {
  return bigIntToHex(BigInt(value));
}

function word(value: bigint): string {
  return bytesToHex(setLengthLeft(bigIntToBytes(value), 32));
}

/** Returns the members that blocks and uncles share in JSON-RPC. `size` is that of the whole block. */
function shapeHeader(header: BlockHeader, size: number): HeaderRecord {
  return {
    number: quantity(header.number),
    hash: bytesToHex(header.hash()),
    parentHash: bytesToHex(header.parentHash),
    nonce: bytesToHex(header.nonce),
    mixHash: bytesToHex(header.mixHash),
    sha3Uncles: bytesToHex(header.uncleHash),
    logsBloom: bytesToHex(header.logsBloom),
    transactionsRoot: bytesToHex(header.transactionsTrie),
    stateRoot: bytesToHex(header.stateRoot),
    receiptsRoot: bytesToHex(header.receiptTrie),
    miner: header.coinbase.toString(),
    difficulty: quantity(header.difficulty),
    extraData: bytesToHex(header.extraData),
    size: quantity(size),
    gasLimit: quantity(header.gasLimit),
    gasUsed: quantity(header.gasUsed),
    timestamp: quantity(header.timestamp),
  };
}

function shapeTransaction(tx: LegacyTx, index: number, block: Block): TransactionRecord {
  return {
    blockHash: bytesToHex(block.hash()),
    blockNumber: quantity(block.header.number),
    from: tx.getSenderAddress().toString(),
    gas: quantity(tx.gasLimit),
    gasPrice: quantity(tx.gasPrice),
    hash: bytesToHex(tx.hash()),
    input: bytesToHex(tx.data),
    nonce: quantity(tx.nonce),
    to: tx.to?.toString() ?? null,
    transactionIndex: quantity(index),
    value: quantity(tx.value),
    type: '0x0',
    v: quantity(tx.v!),
    r: word(tx.r!),
    s: word(tx.s!),
  };
}

/** Returns an uncle in JSON-RPC form, without transactions and total difficulty. */
export function shapeUncle(header: BlockHeader): UncleRecord {
  // As the size of an uncle, nodes report the size of a block that consists of its header only.
  const size = RLP.encode([header.raw(), [], []]).length;
  return { ...shapeHeader(header, size), uncles: [], totalDifficulty: null };
}

export function shapeBlock(block: Block, totalDifficulty: bigint): BlockRecord {
  return {
    ...shapeHeader(block.header, block.serialize().length),
    totalDifficulty: quantity(totalDifficulty),
    uncles: block.uncleHeaders.map((uncle) => bytesToHex(uncle.hash())),
    transactions: block.transactions.map((tx, index) =>
      shapeTransaction(tx as LegacyTx, index, block),
    ),
  };
}

function outcomeOf({ receipt }: RunTxResult): { root: string } | { status: string } {
  return 'stateRoot' in receipt
    ? { root: bytesToHex(receipt.stateRoot) }
    : { status: quantity((receipt as { status: 0 | 1 }).status) };
}

/** Returns the receipts of a block, in the order of its transactions. */
export function shapeReceipts({ block, result }: MinedBlock): ReceiptRecord[] {
  const place = {
    blockHash: bytesToHex(block.hash()),
    blockNumber: quantity(block.header.number),
  };
  let logIndex = 0;
  return result.results.map((outcome, index) => {
    const tx = block.transactions[index] as LegacyTx;
    const at = {
      ...place,
      transactionHash: bytesToHex(tx.hash()),
      transactionIndex: quantity(index),
    };
    return {
      ...at,
      from: tx.getSenderAddress().toString(),
      to: tx.to?.toString() ?? null,
      contractAddress: outcome.createdAddress?.toString() ?? null,
      cumulativeGasUsed: quantity(outcome.receipt.cumulativeBlockGasUsed),
      gasUsed: quantity(outcome.totalGasSpent),
      effectiveGasPrice: quantity(tx.gasPrice),
      logs: outcome.receipt.logs.map(([address, topics, data]) => ({
        address: bytesToHex(address),
        topics: topics.map((topic) => bytesToHex(topic)),
        data: bytesToHex(data),
        ...at,
        logIndex: quantity(logIndex++),
        removed: false as const,
      })),
      logsBloom: bytesToHex(outcome.receipt.bitvector),
      ...outcomeOf(outcome),
      type: '0x0' as const,
    };
  });
}

/** Members of a header that have no value before its block is mined. */
const unmined = { number: null, hash: null, nonce: null, logsBloom: null } as const;

/** Returns the entry of a pending block, without positions of transactions, receipts and seal. */
export function hidePending({ block, uncles }: Entry): Entry {
  return {
    block: {
      ...block,
      ...unmined,
      mixHash: `0x${'0'.repeat(64)}`,
      transactions: block.transactions.map((transaction) => ({
        ...transaction,
        blockHash: null,
        blockNumber: null,
        transactionIndex: null,
      })),
    },
    uncles: uncles.map((uncle) => ({ ...uncle, ...unmined })),
    receipts: [],
  };
}
