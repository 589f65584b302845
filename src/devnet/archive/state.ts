import { NodeError } from '../node-server.ts';
import { decodeRlp, toHex, toQuantity } from './rlp.ts';
import type { StorageKey } from './params.ts';
import { emptyRoot, proveKey, type NodeStore } from './trie.ts';

/** An account of the state trie; hashes in hex, numbers as quantities. */
export interface Account {
  readonly nonce: string;
  readonly balance: string;
  readonly storageHash: string;
  readonly codeHash: string;
}

/** keccak256 of empty code. */
const noCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** geth's values for an account that does not exist. */
const zeroHash = `0x${'0'.repeat(64)}`;
const absentAccount: Account = {
  nonce: '0x0',
  balance: '0x0',
  storageHash: zeroHash,
  codeHash: zeroHash,
};

interface StorageProof {
  readonly key: string;
  readonly value: string;
  readonly proof: readonly string[];
}

function decodeAccount(encoded: Uint8Array): Account {
  const [nonce, balance, storageHash, codeHash] = decodeRlp(encoded) as readonly Uint8Array[];
  return {
    nonce: toQuantity(nonce!),
    balance: toQuantity(balance!),
    storageHash: toHex(storageHash!),
    codeHash: toHex(codeHash!),
  };
}

export function hasCode({ codeHash }: Account): boolean {
  return codeHash !== noCode && codeHash !== zeroHash;
}

/**
 * Returns an account at a state root, with its proof.
 *
 * @throws NodeError -32000 with geth's message if the state is not kept.
 */
export function readAccount(
  store: NodeStore,
  stateRoot: string,
  address: string,
): { readonly account: Account; readonly proof: readonly string[] } {
  if (stateRoot !== emptyRoot && !store.has(stateRoot)) {
    throw new NodeError(
      -32000,
      `missing trie node ${stateRoot.slice(2)} (path ) state ${stateRoot} is not available`,
    );
  }
  const { value, nodes } = proveKey(store, stateRoot, address);
  return { account: value === null ? absentAccount : decodeAccount(value), proof: nodes };
}

/** Returns a storage slot of an account, with its proof. */
export function readStorage(
  store: NodeStore,
  { storageHash }: Account,
  { slot, shown: key }: StorageKey,
): StorageProof {
  if (storageHash === zeroHash) return { key, value: '0x0', proof: [] };
  const { value, nodes } = proveKey(store, storageHash, slot);
  const stored = value === null ? new Uint8Array() : (decodeRlp(value) as Uint8Array);
  return { key, value: toQuantity(stored), proof: nodes };
}
