import recorded from './recording.json' with { type: 'json' };

/** A block with its uncles and receipts, of which only the members that the node reads are typed. */
export interface Entry {
  readonly block: {
    readonly number: string | null;
    readonly hash: string | null;
    readonly stateRoot: string;
    readonly gasLimit: string;
    readonly transactions: readonly { readonly hash: string }[];
  };
  readonly uncles: readonly object[];
  readonly receipts: readonly object[];
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

/** The committed recording, written by scripts/record-archive.ts. */
export const recording: Recording = recorded;
