import { NodeError } from '../node-server.ts';
import type { Tag } from './params.ts';
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

/** The position of a transaction. */
interface Located {
  readonly entry: Entry;
  readonly index: number;
}

/** A recording, indexed for lookup. */
export interface Chain {
  readonly head: Entry;
  /** @throws NodeError -32000 for `safe` and `finalized`, which do not exist before the merge. */
  at(block: Tag | bigint): Entry | undefined;
  withHash(hash: string): Entry | undefined;
  locate(transactionHash: string): Located | undefined;
}

/** Indexes a recording by height, hash and tag, and its transactions by hash. */
export function openChain({ entries, pending }: Recording): Chain {
  const head = entries.at(-1)!;
  const byHash = new Map(entries.map((entry) => [entry.block.hash, entry]));
  const transactions = new Map<string, Located>();
  for (const entry of [...entries, pending]) {
    for (const [index, { hash }] of entry.block.transactions.entries()) {
      transactions.set(hash, { entry, index });
    }
  }
  const tagged: Readonly<Partial<Record<Tag, Entry>>> = {
    earliest: entries[0]!,
    latest: head,
    pending,
  };
  return {
    head,
    at: (block) => {
      if (typeof block === 'bigint') {
        return block < entries.length ? entries[Number(block)] : undefined;
      }
      const entry = tagged[block];
      if (entry === undefined) throw new NodeError(-32000, `${block} block not found`);
      return entry;
    },
    withHash: (hash) => byHash.get(hash),
    locate: (hash) => transactions.get(hash),
  };
}

/** Returns the element at an index, or null. */
export function pick<T>(items: readonly T[] | undefined, index: bigint): T | null {
  if (items === undefined || index >= items.length) return null;
  return items[Number(index)] ?? null;
}
