import type { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, KECCAK256_RLP, equalsBytes } from '@ethereumjs/util';

type Item = Uint8Array | Item[];

/**
 * Returns every trie node reachable from the given state roots, storage included, as hex RLP in a stable
 * order (Yellow Paper, appendix D). Nodes shorter than 32 bytes are embedded in their parents.
 */
export async function collectStateNodes(
  trie: MerklePatriciaTrie,
  roots: readonly Uint8Array[],
): Promise<string[]> {
  const nodes = new Map<string, string>();

  const collect = async (hash: Uint8Array, ofState: boolean): Promise<void> => {
    const name = bytesToHex(hash);
    if (equalsBytes(hash, KECCAK256_RLP) || nodes.has(name)) return;
    const encoded = await trie.database().get(hash);
    if (encoded === undefined) throw new Error(`the state lacks its node ${name}`);
    nodes.set(name, bytesToHex(encoded));
    await follow(RLP.decode(encoded) as Item[], ofState);
  };

  const followChild = async (child: Item, ofState: boolean): Promise<void> => {
    if (Array.isArray(child)) await follow(child, ofState);
    else if (child.length === 32) await collect(child, ofState);
  };

  const followLeaf = async (value: Uint8Array, ofState: boolean): Promise<void> => {
    if (!ofState) return;
    const [, , storageRoot] = RLP.decode(value) as Uint8Array[];
    await collect(storageRoot!, false);
  };

  const follow = async (node: Item[], ofState: boolean): Promise<void> => {
    if (node.length === 17) {
      for (const child of node.slice(0, 16)) await followChild(child, ofState);
      return;
    }
    const [path, rest] = node as [Uint8Array, Item];
    // The first half byte of the path is 2 or 3 in a leaf, and 0 or 1 in an extension.
    if (path[0]! >= 0x20) await followLeaf(rest as Uint8Array, ofState);
    else await followChild(rest, ofState);
  };

  for (const root of roots) await collect(root, true);
  return [...nodes.values()];
}
