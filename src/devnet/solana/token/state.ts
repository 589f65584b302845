import { encodeAddress } from '../addresses.ts';

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

/** Offsets of the fields (spl-token, `Pack`). */
export const mintLayout = {
  size: 82,
  authority: 0,
  supply: 36,
  decimals: 44,
  isInitialized: 45,
  freezeAuthority: 46,
};
export const accountLayout = {
  size: 165,
  mint: 0,
  owner: 32,
  amount: 64,
  delegate: 72,
  state: 108,
  nativeReserve: 109,
  delegatedAmount: 121,
  closeAuthority: 129,
};
export const multisigLayout = {
  size: 355,
  required: 0,
  valid: 1,
  isInitialized: 2,
  signers: 3,
};
export const states = { uninitialized: 0, initialized: 1, frozen: 2 };

const MAX_SIGNERS = 11;
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
  const base = data.length === accountLayout.size;
  const extended =
    data.length > accountLayout.size &&
    data.length !== multisigLayout.size &&
    data[accountLayout.size] === extendedAccount;
  return (base || extended) && data[accountLayout.state] !== states.uninitialized;
}

/** @returns undefined unless the data is a token account without extensions. */
export function readTokenAccount(data: Uint8Array): TokenAccount | undefined {
  const at = accountLayout;
  if (data.length !== at.size || data[at.state] === states.uninitialized) return undefined;
  return {
    mint: readAddress(data, at.mint),
    owner: readAddress(data, at.owner),
    amount: readU64(data, at.amount),
    delegate: readOptional(data, at.delegate, readAddress),
    frozen: data[at.state] === states.frozen,
    nativeReserve: readOptional(data, at.nativeReserve, readU64),
    delegatedAmount: readU64(data, at.delegatedAmount),
    closeAuthority: readOptional(data, at.closeAuthority, readAddress),
  };
}

/** @returns undefined unless the data is a mint without extensions. */
export function readMint(data: Uint8Array): Mint | undefined {
  const at = mintLayout;
  if (data.length !== at.size || data[at.isInitialized] !== 1) return undefined;
  return {
    authority: readOptional(data, at.authority, readAddress),
    supply: readU64(data, at.supply),
    decimals: data[at.decimals]!,
    freezeAuthority: readOptional(data, at.freezeAuthority, readAddress),
  };
}

/** @returns undefined unless the data is a multisig. */
export function readMultisig(data: Uint8Array): Multisig | undefined {
  const at = multisigLayout;
  if (data.length !== at.size || data[at.isInitialized] !== 1) return undefined;
  const slots = Array.from({ length: MAX_SIGNERS }, (_, index) => at.signers + 32 * index);
  const used = slots.filter((at) => data.subarray(at, at + 32).some((byte) => byte !== 0));
  const signers = used.map((at) => readAddress(data, at));
  return { numRequiredSigners: data[at.required]!, numValidSigners: data[at.valid]!, signers };
}
