import { isTokenAccount } from '../token/state.ts';
import {
  decodeOptional,
  decodeStruct,
  decodeUnsigned,
  decodeVariant,
  invalidType,
  requireField,
  unknownVariant,
} from './decode.ts';
import { decodeBase58, decodeBase64, type Decoded } from './encodings.ts';
import { errors } from './errors.ts';

/** Bytes to compare, before decoding. */
export type EncodedBytes =
  | { readonly encoding: 'base58' | 'base64'; readonly text: string }
  | { readonly encoding: 'bytes'; readonly bytes: Uint8Array };

/** A filter of a request (Agave, `rpc-client-types/src/filter.rs`). */
export type Filter =
  | { readonly type: 'dataSize'; readonly size: bigint }
  | { readonly type: 'memcmp'; readonly offset: bigint; readonly bytes: EncodedBytes }
  | { readonly type: 'tokenAccountState' };

const filterTypes = ['dataSize', 'memcmp', 'tokenAccountState'] as const;
const byteEncodings = ['base58', 'base64', 'bytes'] as const;

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}

function decodeBytes(value: unknown, encoding: (typeof byteEncodings)[number]): EncodedBytes {
  // Text with encoding "bytes" is base58; an array is bytes with any encoding.
  if (typeof value === 'string') {
    return { encoding: encoding === 'base64' ? 'base64' : 'base58', text: value };
  }
  if (Array.isArray(value) && value.every(isByte)) {
    return { encoding: 'bytes', bytes: Uint8Array.from(value) };
  }
  throw errors.invalidParams('data did not match any variant of untagged enum DataType');
}

function decodeMemcmp(value: unknown): Filter {
  const memcmp = decodeStruct(value, 'Memcmp');
  const offset = decodeUnsigned(requireField(memcmp, 'offset'), 'usize');
  const bytes = requireField(memcmp, 'bytes');
  const encoding = decodeOptional(memcmp['encoding'], (name) => decodeVariant(name, byteEncodings));
  return { type: 'memcmp', offset, bytes: decodeBytes(bytes, encoding ?? 'base58') };
}

function decodeNamed(name: string, value: unknown): Filter {
  switch (name) {
    case 'dataSize':
      return { type: 'dataSize', size: decodeUnsigned(value, 'u64') };
    case 'memcmp':
      return decodeMemcmp(value);
    case 'tokenAccountState':
      if (value !== null) throw invalidType(value, 'unit');
      return { type: 'tokenAccountState' };
    default:
      throw unknownVariant(name, filterTypes);
  }
}

/**
 * Reads a filter: an object of one key, or the bare text `tokenAccountState`.
 *
 * @throws NodeError -32602 `Invalid params: …`
 */
export function decodeFilter(value: unknown): Filter {
  if (typeof value === 'string') {
    if (decodeVariant(value, filterTypes) === 'tokenAccountState') return decodeNamed(value, null);
    throw errors.invalidParams('invalid type: unit variant, expected newtype variant');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidType(value, 'string or map');
  }
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) {
    throw errors.invalidParams('invalid value: map, expected map with a single key');
  }
  return decodeNamed(...entry);
}

/** Returns whether an account's data matches. */
export type Matcher = (data: Uint8Array) => boolean;

/** Agave's limits: the bytes to compare, and the length of their text. */
const maxFilters = 4;
const maxBytes = 128;
const maxText = { base58: 175, base64: 172 };

function decodeBounded(encoded: EncodedBytes): Uint8Array {
  if (encoded.encoding === 'bytes') return encoded.bytes;
  const { encoding, text } = encoded;
  if (text.length > maxText[encoding]) throw errors.invalidParam('DataTooLarge');
  const decoded: Decoded = encoding === 'base58' ? decodeBase58(text) : decodeBase64(text);
  if ('bytes' in decoded) return decoded.bytes;
  const name = encoding === 'base58' ? 'Base58DecodeError' : 'Base64DecodeError';
  throw errors.invalidParam(`${name}(${decoded.error})`);
}

function compileMemcmp(offset: bigint, encoded: EncodedBytes): Matcher {
  const bytes = decodeBounded(encoded);
  if (bytes.length > maxBytes) throw errors.invalidParam('DataTooLarge');
  return (data) => {
    if (offset > BigInt(data.length)) return false;
    const at = Number(offset);
    return Buffer.compare(data.subarray(at, at + bytes.length), bytes) === 0;
  };
}

function compileFilter(filter: Filter): Matcher {
  switch (filter.type) {
    case 'dataSize':
      return (data) => BigInt(data.length) === filter.size;
    case 'memcmp':
      return compileMemcmp(filter.offset, filter.bytes);
    case 'tokenAccountState':
      return isTokenAccount;
  }
}

/**
 * Combines all filters to one matcher.
 *
 * @throws NodeError -32602 for more than four filters, invalid bytes or more than 128 bytes.
 */
export function compileFilters(filters: readonly Filter[]): Matcher {
  if (filters.length > maxFilters) throw errors.tooManyFilters(maxFilters);
  const matchers = filters.map(compileFilter);
  return (data) => matchers.every((matches) => matches(data));
}
