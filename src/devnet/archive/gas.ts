import { NodeError } from '../node-server.ts';
import { toBytes, decodeRlp, toHex, toQuantity } from './rlp.ts';
import { readAddress, readBytes, readQuantity, type Read, type StorageKey } from './params.ts';
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

function hasCode({ codeHash }: Account): boolean {
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

/** The members of a call object that determine its gas. */
interface GasCall {
  readonly from: string;
  readonly to: string | undefined;
  readonly gas: bigint | undefined;
  readonly gasPrice: bigint;
  readonly value: bigint;
  readonly data: string;
}

/** Finds an account in the state of the call. */
type FindAccount = (address: string) => Account;

const transferGas = 21_000;
// Costs before Istanbul (EIP-2028).
const zeroByteGas = 4;
const otherByteGas = 68;

/** The highest precompiled contract of Byzantium. */
const lastPrecompile = 8n;

/** @throws NodeError with the invalid member. */
export function readGasCall(call: Readonly<Record<string, unknown>>): GasCall {
  const member = <T>(name: string, read: Read<T>): T | undefined => {
    const value = call[name];
    if (value === undefined || value === null) return undefined;
    try {
      return read(value);
    } catch (error) {
      throw new NodeError(-32602, `invalid argument 0: ${name}: ${(error as Error).message}`);
    }
  };
  return {
    from: member('from', readAddress) ?? `0x${'0'.repeat(40)}`,
    to: member('to', readAddress),
    gas: member('gas', readQuantity),
    gasPrice: member('gasPrice', readQuantity) ?? 0n,
    value: member('value', readQuantity) ?? 0n,
    data: member('input', readBytes) ?? member('data', readBytes) ?? '0x',
  };
}

function intrinsicGas(data: string): bigint {
  const costs = Array.from(toBytes(data), (byte) => (byte === 0 ? zeroByteGas : otherByteGas));
  return BigInt(costs.reduce((gas, cost) => gas + cost, transferGas));
}

function runsCode(to: string | undefined, findAccount: FindAccount): boolean {
  if (to === undefined) return true;
  const number = BigInt(to);
  return (number > 0n && number <= lastPrecompile) || hasCode(findAccount(to));
}

/**
 * Returns the intrinsic gas (Yellow Paper) of a transfer to an account without code.
 *
 * @param allowance the gas limit of the block, which bounds an estimate without `gas`.
 * @throws NodeError -32000 if code would have to run, the sender cannot pay or the gas is too low.
 */
export function estimateGas(call: GasCall, allowance: bigint, findAccount: FindAccount): bigint {
  if (runsCode(call.to, findAccount)) {
    throw new NodeError(
      -32000,
      'this node serves a recorded chain and executes no code: it estimates transfers to accounts without code only',
    );
  }
  const gas = intrinsicGas(call.data);
  const limit = call.gas ?? allowance;
  if (gas > limit) throw new NodeError(-32000, `gas required exceeds allowance (${limit})`);
  const balance = BigInt(findAccount(call.from).balance);
  if (call.value + gas * call.gasPrice > balance) {
    throw new NodeError(-32000, 'insufficient funds for transfer');
  }
  return gas;
}
