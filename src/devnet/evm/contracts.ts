import artifacts from './artifacts.json' with { type: 'json' };

/**
 * Contracts of alice's nonces 1, 2 and 3 (keccak256(rlp([sender, nonce])), Yellow Paper, section 7).
 */
export const contracts = {
  token: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  reverter: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
  cashier: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
} as const;

type Name = keyof typeof artifacts;

/** Returns the creation code of a contract. */
export function create(name: Name, words: readonly Word[] = []): string {
  return encodeCall(artifacts[name].bytecode, words);
}

/** Returns the calldata of a function, named by its signature: `name(types)`. */
export function call<N extends Name>(
  name: N,
  signature: keyof (typeof artifacts)[N]['selectors'] & string,
  words: readonly Word[] = [],
  text?: string,
): `0x${string}` {
  const selectors: Readonly<Record<string, string>> = artifacts[name].selectors;
  return encodeCall(selectors[signature]!, words, text);
}

/** The mnemonic of Ethereum development tools; its keys are public. */
export const mnemonic = 'test test test test test test test test test test test junk';

/** The first accounts of the mnemonic at m/44'/60'/0'/0/n, each holding 10,000 ether at genesis. */
export const accounts = {
  alice: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  bob: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  carol: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
} as const;

/** An ABI argument of one word: a number, or a hex string of up to 32 bytes, such as an address. */
type Word = number | bigint | `0x${string}`;

/** Encodes a right-aligned 32-byte word as 64 hex digits without prefix. */
function encodeWord(value: Word): string {
  const digits = typeof value === 'string' ? value.slice(2) : value.toString(16);
  return digits.padStart(64, '0');
}

/** Encodes a dynamic string: its length in bytes, then the left-aligned bytes. */
function encodeText(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const width = Math.ceil(bytes.length / 32) * 64;
  return encodeWord(bytes.length) + bytes.toString('hex').padEnd(width, '0');
}

/**
 * Encodes the calldata of a function call, or of a contract creation with bytecode in place of the
 * selector (Solidity contract ABI specification, argument encoding).
 *
 * @param head the function's selector or the contract's creation bytecode, with 0x.
 * @param text a last argument of type string, if the function has one.
 */
export function encodeCall(
  head: string,
  words: readonly Word[] = [],
  text?: string,
): `0x${string}` {
  const fixed = `0x${head.slice(2)}${words.map(encodeWord).join('')}` as const;
  if (text === undefined) return fixed;
  return `${fixed}${encodeWord((words.length + 1) * 32)}${encodeText(text)}`;
}

/**
 * Storage slots of the contracts. A mapping's entry is at keccak256(key ‖ slot of the mapping)
 * (Solidity, layout of state variables in storage).
 */
export const slots = {
  totalSupply: `0x${'0'.repeat(64)}`,
  balanceOfAlice: '0xa3c1274aadd82e4d12c8004c33fb244ca686dad4fcc8957fc5668588c11d9502',
  /** Token: `balanceOf[bob]`; Cashier: `paidBy[bob]`, a mapping with the same slot number. */
  balanceOfBob: '0x3c8e904cdb19937d60d41c8d984b1a8803ad6e0891b4f9e032dcec2a22c2c7f5',
  balanceOfCashier: '0x685d256e9be7152506222a87b2d2d582926a289249af3bc94a19432f63c6720e',
  /** Token: `allowance[bob][cashier]`. */
  allowanceOfCashier: '0x6673fbe36a4c22d5d60463201e20622d3fd3db0d66299afeb2ceb58e3c658190',
} as const;

/** Storage of the token that bob's payment to the cashier accesses (EIP-2930). */
export const paymentAccessList = [
  {
    address: contracts.token,
    storageKeys: [slots.allowanceOfCashier, slots.balanceOfBob, slots.balanceOfCashier],
  },
] as const;
