/** Merkle Patricia tries from first principles (Yellow Paper, appendices B to D), over viem. */
import { type Hex, keccak256, size, toRlp } from 'viem';

type Item = Hex | readonly Item[];

/** A trie: its root hash, and the RLP of each node that is not embedded in its parent, by hash. */
export interface BuiltTrie {
  readonly root: Hex;
  readonly nodes: ReadonlyMap<Hex, Hex>;
}

type Leaf = readonly [path: string, value: Hex];

function encodePath(path: string, isLeaf: boolean): Hex {
  const odd = path.length % 2;
  const flag = (isLeaf ? 2 : 0) + odd;
  return `0x${flag}${odd === 1 ? '' : '0'}${path}`;
}

function sharedPrefix(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  let length = 0;
  while (length < first.length && rest.every((path) => path[length] === first[length])) length += 1;
  return first.slice(0, length);
}

function buildNode(leaves: readonly Leaf[], store: Map<Hex, Hex>): Item {
  if (leaves.length === 1) {
    const [path, value] = leaves[0]!;
    return [encodePath(path, true), value];
  }
  const prefix = sharedPrefix(leaves.map(([path]) => path));
  const rest = leaves.map(([path, value]): Leaf => [path.slice(prefix.length), value]);
  if (prefix !== '') return [encodePath(prefix, false), refer(buildNode(rest, store), store)];
  const children = [...'0123456789abcdef'].map((digit): Item => {
    const below = rest.filter(([path]) => path[0] === digit);
    if (below.length === 0) return '0x';
    return refer(
      buildNode(
        below.map(([path, value]): Leaf => [path.slice(1), value]),
        store,
      ),
      store,
    );
  });
  return [...children, rest.find(([path]) => path === '')?.[1] ?? '0x'];
}

function keep(node: Item, store: Map<Hex, Hex>): Hex {
  const encoded = toRlp(node as Hex[]);
  const hash = keccak256(encoded);
  store.set(hash, encoded);
  return hash;
}

function refer(node: Item, store: Map<Hex, Hex>): Item {
  return size(toRlp(node as Hex[])) < 32 ? node : keep(node, store);
}

/** The trie of keys and values, both hex; keys are not hashed here. */
export function buildTrie(entries: readonly (readonly [key: Hex, value: Hex])[]): BuiltTrie {
  const nodes = new Map<Hex, Hex>();
  if (entries.length === 0) return { root: keccak256(toRlp('0x')), nodes };
  const leaves = entries.map(([key, value]): Leaf => [key.slice(2), value]);
  return { root: keep(buildNode(leaves, nodes), nodes), nodes };
}

/** The root of a list, each value under the RLP of its position: transactions, receipts. */
export function listRoot(values: readonly Hex[]): Hex {
  return buildTrie(values.map((value, index) => [toRlp(minimal(index)), value])).root;
}

/** The root of a trie with hashed keys: accounts, storage. */
export function hashedRoot(entries: readonly (readonly [key: Hex, value: Hex])[]): Hex {
  return buildTrie(entries.map(([key, value]) => [keccak256(key), value])).root;
}

/** Encodes a number for RLP: big-endian, no leading zeros, empty for zero. */
export function minimal(value: string | number | bigint): Hex {
  const digits = BigInt(value).toString(16);
  if (digits === '0') return '0x';
  return `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`;
}
