import { keccak_256 } from '@noble/hashes/sha3.js';
import { toBytes, toHex } from './hex.ts';
import { decodeRlp, type RlpItem } from './rlp.ts';

/** Trie nodes as hex RLP, by their keccak hash in hex. */
export type NodeStore = ReadonlyMap<string, string>;

/** What the trie holds under a key, and the nodes that prove it, from the root on. */
export interface TrieProof {
  /** Null when the trie has nothing under the key; the nodes then prove that. */
  readonly value: Uint8Array | null;
  /** Each node's RLP in hex; nodes under 32 bytes stand inside their parents and are not repeated. */
  readonly nodes: readonly string[];
}

/** A reference to the next node, the value itself, or nothing under this key. */
type Step =
  { readonly child: RlpItem; readonly path: string } | { readonly value: Uint8Array | null };

/** The root of a trie with nothing in it: the hash of RLP's empty string. */
export const emptyRoot = toHex(keccak_256(Uint8Array.of(0x80)));

/** Indexes recorded nodes by their hashes. */
export function indexNodes(nodes: readonly string[]): NodeStore {
  return new Map(nodes.map((node) => [toHex(keccak_256(toBytes(node))), node]));
}

/** The half bytes of a leaf's or extension's path, and which of the two it is (hex-prefix encoding). */
function readPath(encoded: Uint8Array): { readonly isLeaf: boolean; readonly path: string } {
  const digits = Buffer.from(encoded).toString('hex');
  const flag = Number(digits[0]);
  // An odd path starts right after the flag, an even one after a digit of padding.
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
 * Walks a Merkle Patricia trie with hashed keys (Yellow Paper, appendix D) and collects the proof of
 * what is, or is not, under a key.
 *
 * @param root hash of the root node, hex.
 * @param key hex; hashed before the walk.
 * @throws Error when a node on the way is not in the store.
 */
export function proveKey(store: NodeStore, root: string, key: string): TrieProof {
  const nodes: string[] = [];
  if (root === emptyRoot) return { value: null, nodes };

  const load = (hash: string): readonly RlpItem[] => {
    const encoded = store.get(hash);
    if (encoded === undefined) throw new Error(`the trie lacks its node ${hash}`);
    nodes.push(encoded);
    return decodeRlp(toBytes(encoded)) as readonly RlpItem[];
  };

  let node = load(root);
  let path = Buffer.from(keccak_256(toBytes(key))).toString('hex');
  // Each turn takes at least one digit off the path or ends the walk.
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
