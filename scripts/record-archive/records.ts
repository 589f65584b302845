/** A transaction in JSON-RPC form; block and index are null while it is pending. */
export interface TransactionRecord {
  readonly blockHash: string | null;
  readonly blockNumber: string | null;
  readonly from: string;
  readonly gas: string;
  readonly gasPrice: string;
  readonly hash: string;
  readonly input: string;
  readonly nonce: string;
  readonly to: string | null;
  readonly transactionIndex: string | null;
  readonly value: string;
  readonly type: '0x0';
  readonly v: string;
  readonly r: string;
  readonly s: string;
}

/** The common members of blocks and uncles. Four of them are null in the pending block. */
export interface HeaderRecord {
  readonly number: string | null;
  readonly hash: string | null;
  readonly nonce: string | null;
  readonly logsBloom: string | null;
  readonly parentHash: string;
  readonly mixHash: string;
  readonly sha3Uncles: string;
  readonly transactionsRoot: string;
  readonly stateRoot: string;
  readonly receiptsRoot: string;
  readonly miner: string;
  readonly difficulty: string;
  readonly extraData: string;
  readonly size: string;
  readonly gasLimit: string;
  readonly gasUsed: string;
  readonly timestamp: string;
}

export interface BlockRecord extends HeaderRecord {
  readonly totalDifficulty: string;
  readonly uncles: readonly string[];
  readonly transactions: readonly TransactionRecord[];
}

/** Uncles have no transactions and no total difficulty. */
export interface UncleRecord extends HeaderRecord {
  readonly totalDifficulty: null;
  readonly uncles: readonly [];
}

export interface LogRecord {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
  readonly removed: false;
}

/** A receipt, with `root` before Byzantium and `status` since (EIP-658). */
export interface ReceiptRecord {
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly from: string;
  readonly to: string | null;
  readonly contractAddress: string | null;
  readonly cumulativeGasUsed: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly logs: readonly LogRecord[];
  readonly logsBloom: string;
  readonly root?: string;
  readonly status?: string;
  readonly type: '0x0';
}

/** A block with its uncles and receipts. */
export interface Entry {
  readonly block: BlockRecord;
  readonly uncles: readonly UncleRecord[];
  readonly receipts: readonly ReceiptRecord[];
}

/** A small chain in JSON-RPC form. */
export interface Recording {
  readonly chainId: number;
  /** Blocks by height, from the genesis block. */
  readonly entries: readonly Entry[];
  /** The pending block, without receipts. */
  readonly pending: Entry;
  /** The RLP of all trie nodes of the kept states, storage included. */
  readonly stateNodes: readonly string[];
}
