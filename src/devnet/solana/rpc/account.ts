import { zstdCompressSync } from 'node:zlib';
import { base58 } from '@scure/base';
import type { SvmAccount } from '../ledger/litesvm.ts';
import { isTokenProgram, parseToken, type ParsedData } from '../token/parsed.ts';
import type { DataSlice, Encoding } from './config.ts';
import { errors } from './decode.ts';

/** Encoded account data: base58 text, text with its encoding, or parsed. */
type EncodedData = string | readonly [string, Encoding] | ParsedData;

/** An element of getProgramAccounts' result; keys in the order Agave writes them. */
export interface KeyedAccount {
  readonly account: {
    readonly data: EncodedData;
    readonly executable: boolean;
    readonly lamports: bigint;
    readonly owner: string;
    readonly rentEpoch: bigint;
    readonly space: bigint;
  };
  readonly pubkey: string;
}

interface EncodeOptions {
  readonly encoding: Encoding;
  readonly dataSlice: DataSlice | undefined;
  /** Finds the data of a token account's mint, for its decimals. */
  readonly findData: (address: string) => Uint8Array | undefined;
}

/** Maximum bytes that Agave encodes as base58 (`MAX_BASE58_BYTES`). */
const maxBase58Bytes = 128;

/** Rent epoch of rent-exempt accounts (`RENT_EXEMPT_RENT_EPOCH`). */
const rentExemptEpoch = 2n ** 64n - 1n;

function sliceData(data: Uint8Array, slice: DataSlice | undefined): Uint8Array {
  if (slice === undefined) return data;
  // Both stay exact where it matters: subarray ends at the size of the data.
  return data.subarray(Number(slice.offset), Number(slice.offset + slice.length));
}

function encodeBase58(bytes: Uint8Array): string {
  if (bytes.length > maxBase58Bytes) throw errors.base58TooLong(maxBase58Bytes);
  return base58.encode(bytes);
}

function encodeData(data: Uint8Array, { encoding, dataSlice }: EncodeOptions): EncodedData {
  const bytes = sliceData(data, dataSlice);
  switch (encoding) {
    case 'binary':
      return encodeBase58(bytes);
    case 'base58':
      return [encodeBase58(bytes), encoding];
    case 'base64+zstd':
      return [zstdCompressSync(bytes).toString('base64'), encoding];
    // Accounts without a parser are encoded as base64.
    case 'base64':
    case 'jsonParsed':
      return [Buffer.from(bytes).toString('base64'), 'base64'];
  }
}

/**
 * Encodes an account (Agave, `account-decoder/src/lib.rs` and `rpc/src/rpc.rs`, `encode_account`).
 *
 * @returns undefined for a token program's account that `jsonParsed` cannot parse, which Agave
 *   leaves out of the result.
 * @throws NodeError -32600 for more than 128 bytes of base58.
 */
export function encodeAccount(
  account: SvmAccount,
  options: EncodeOptions,
): KeyedAccount | undefined {
  const { address, data, executable, lamports, programAddress: owner, space } = account;
  const parse = options.encoding === 'jsonParsed' && isTokenProgram(owner);
  const encoded = parse ? parseToken(owner, data, options.findData) : encodeData(data, options);
  if (encoded === undefined) return undefined;
  return {
    account: { data: encoded, executable, lamports, owner, rentEpoch: rentExemptEpoch, space },
    pubkey: address,
  };
}
