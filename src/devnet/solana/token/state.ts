import { encodeAddress } from '../addresses.ts';
import { solanaFacts } from '../facts.ts';

/** A token account (spl-token, `state::Account`). */
export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly delegate: string | undefined;
  readonly delegatedAmount: bigint;
  readonly frozen: boolean;
  /** Lamports kept back for rent, when the account holds wrapped lamports. */
  readonly nativeReserve: bigint | undefined;
  readonly closeAuthority: string | undefined;
}

/** A mint (spl-token, `state::Mint`). */
interface Mint {
  readonly authority: string | undefined;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: string | undefined;
}

/** An M-of-N signer (spl-token, `state::Multisig`). */
interface Multisig {
  readonly numRequiredSigners: number;
  readonly numValidSigners: number;
  readonly signers: readonly string[];
}

const { mintSize, accountSize, multisigSize } = solanaFacts.tokenLayout;
const initializedAt = { account: 108, mint: 45, multisig: 2 };
/** Token-2022 marks an account that carries extensions with this byte right after the base state. */
const extendedAccount = 2;

function readAddress(data: Uint8Array, at: number): string {
  return encodeAddress(data.subarray(at, at + 32));
}

function readU64(data: Uint8Array, at: number): bigint {
  return Buffer.from(data.buffer, data.byteOffset, data.length).readBigUInt64LE(at);
}

/** An optional field: a four-byte presence mark (1 little-endian), then the field. */
function readOptional<T>(
  data: Uint8Array,
  at: number,
  read: (data: Uint8Array, at: number) => T,
): T | undefined {
  return data[at] === 1 ? read(data, at + 4) : undefined;
}

/** Whether data is an initialized token account (spl-generic-token, `valid_account_data`). */
export function isTokenAccount(data: Uint8Array): boolean {
  const base = data.length === accountSize;
  const extended =
    data.length > accountSize &&
    data.length !== multisigSize &&
    data[accountSize] === extendedAccount;
  return (base || extended) && data[initializedAt.account] !== 0;
}

/** @returns undefined unless the data is a token account without extensions. */
export function readTokenAccount(data: Uint8Array): TokenAccount | undefined {
  if (data.length !== accountSize || data[initializedAt.account] === 0) return undefined;
  return {
    mint: readAddress(data, 0),
    owner: readAddress(data, 32),
    amount: readU64(data, 64),
    delegate: readOptional(data, 72, readAddress),
    frozen: data[108] === 2,
    nativeReserve: readOptional(data, 109, readU64),
    delegatedAmount: readU64(data, 121),
    closeAuthority: readOptional(data, 129, readAddress),
  };
}

/** @returns undefined unless the data is a mint without extensions. */
export function readMint(data: Uint8Array): Mint | undefined {
  if (data.length !== mintSize || data[initializedAt.mint] !== 1) return undefined;
  return {
    authority: readOptional(data, 0, readAddress),
    supply: readU64(data, 36),
    decimals: data[44]!,
    freezeAuthority: readOptional(data, 46, readAddress),
  };
}

/** @returns undefined unless the data is a multisig. */
export function readMultisig(data: Uint8Array): Multisig | undefined {
  if (data.length !== multisigSize || data[initializedAt.multisig] !== 1) return undefined;
  const slots = Array.from({ length: 11 }, (_, index) => 3 + 32 * index);
  const used = slots.filter((at) => data.subarray(at, at + 32).some((byte) => byte !== 0));
  const signers = used.map((at) => readAddress(data, at));
  return { numRequiredSigners: data[0]!, numValidSigners: data[1]!, signers };
}
