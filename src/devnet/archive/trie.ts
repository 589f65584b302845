import { keccak_256 } from '@noble/hashes/sha3.js';
import { decodeRlp, type RlpItem, toBytes, toHex } from './rlp.ts';

/** Hex RLP of trie nodes, by keccak hash in hex. */
export type NodeStore = ReadonlyMap<string, string>;

/** The value of a key, and the nodes that prove it, from the root. */
interface TrieProof {
  /** Null if the key does not exist, as the nodes prove. */
  readonly value: Uint8Array | null;
  /** RLP in hex; nodes under 32 bytes are part of their parents and not listed. */
  readonly nodes: readonly string[];
}

/** The next node, or the value; null if the key does not exist. */
type Step =
  | { readonly child: RlpItem; readonly path: string }
  | { readonly value: Uint8Array | null };

/** Root of an empty trie: the hash of RLP's empty string. */
export const emptyRoot = toHex(keccak_256(Uint8Array.of(0x80)));

/** Indexes recorded nodes by their hashes. */
export function indexNodes(nodes: readonly string[]): NodeStore {
  return new Map(nodes.map((node) => [toHex(keccak_256(toBytes(node))), node]));
}

/** Decodes the path of a leaf or extension (hex-prefix encoding). */
function readPath(encoded: Uint8Array): { readonly isLeaf: boolean; readonly path: string } {
  const digits = Buffer.from(encoded).toString('hex');
  const flag = Number(digits[0]);
  // An even path starts after a digit of padding.
  return { isLeaf: flag >= 2, path: digits.slice(flag % 2 === 1 ? 1 : 2) };
}

function stepThrough(node: readonly RlpItem[], path: string): Step {
  if (node.length === 17) {
    if (path === '') return { value: node[16] as Uint8Array };
    return { child: node[Number.parseInt(path[0]!, 16)]!, path: path.slice(1) };
  }
  const [encoded, rest] = node as readonly [Uint8Array, RlpItem];
  const own = readPath(encoded);
  if (own.isLeaf) return { value: own.path === path ? (rest as Uint8Array) : null };
  if (!path.startsWith(own.path)) return { value: null };
  return { child: rest, path: path.slice(own.path.length) };
}

/**
 * Walks a Merkle Patricia trie with hashed keys (Yellow Paper, appendix D) and returns the value of a
 * key with its proof.
 *
 * @param root hash of the root node, hex.
 * @param key hex; hashed before the walk.
 * @throws Error if a node is not in the store.
 */
export function proveKey(store: NodeStore, root: string, key: string): TrieProof {
  const nodes: string[] = [];
  if (root === emptyRoot) return { value: null, nodes };

  const load = (hash: string): readonly RlpItem[] => {
    const encoded = store.get(hash);
    if (encoded === undefined) throw new Error(`trie node ${hash} not found`);
    nodes.push(encoded);
    return decodeRlp(toBytes(encoded)) as readonly RlpItem[];
  };

  let node = load(root);
  let path = Buffer.from(keccak_256(toBytes(key))).toString('hex');
  // Terminates: each step shortens the path.
  for (;;) {
    const step = stepThrough(node, path);
    if ('value' in step) return { value: step.value, nodes };
    const { child } = step;
    if (!(child instanceof Uint8Array)) node = child;
    else if (child.length === 0) return { value: null, nodes };
    else node = load(toHex(child));
    path = step.path;
  }
}
