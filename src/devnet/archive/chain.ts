import { NodeError } from '../node-server.ts';
import type { Tag } from './params.ts';
import type { Entry, Recording } from './recording.ts';

/** The position of a transaction. */
export interface Located {
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

function locateAll(entries: readonly Entry[]): Map<string, Located> {
  return new Map(
    entries.flatMap((entry) =>
      entry.block.transactions.map(({ hash }, index): [string, Located] => [
        hash,
        { entry, index },
      ]),
    ),
  );
}

/** Indexes a recording by height, hash and tag, and its transactions by hash. */
export function openChain({ entries, pending }: Recording): Chain {
  const head = entries.at(-1)!;
  const byHash = new Map(entries.map((entry) => [entry.block.hash, entry]));
  const transactions = locateAll([...entries, pending]);
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
