import { isObject } from '../../../../common/json/value.ts';
import { isTokenAccount } from '../token/state.ts';
import {
  decodeBase58,
  decodeBase64,
  decodeOptional,
  decodeStruct,
  decodeUnsigned,
  decodeVariant,
  errors,
  invalidType,
  requireField,
  unknownVariant,
} from './decode.ts';

/** Returns whether an account's data matches. */
export type Matcher = (data: Uint8Array) => boolean;

/**
 * A filter of a request (Agave, `rpc-client-types/src/filter.rs`). Agave checks the bytes of a filter
 * only after all params are read, so they are decoded when the filter is compiled.
 */
export type Filter = () => Matcher;

const filterTypes = ['dataSize', 'memcmp', 'tokenAccountState'] as const;
const byteEncodings = ['base58', 'base64', 'bytes'] as const;

/** Agave's limits: the bytes to compare, and the length of their text. */
const maxFilters = 4;
const maxBytes = 128;
const maxText = { base58: 175, base64: 172 };

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
  if (!isObject(value)) throw invalidType(value, 'string or map');
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) {
    throw errors.invalidParams('invalid value: map, expected map with a single key');
  }
  return decodeNamed(...entry);
}

/**
 * Combines all filters to one matcher.
 *
 * @throws NodeError -32602 for more than four filters, invalid bytes or more than 128 bytes.
 */
export function compileFilters(filters: readonly Filter[]): Matcher {
  if (filters.length > maxFilters) throw errors.tooManyFilters(maxFilters);
  const matchers = filters.map((compile) => compile());
  return (data) => matchers.every((matches) => matches(data));
}

function decodeNamed(name: string, value: unknown): Filter {
  switch (name) {
    case 'dataSize': {
      const size = decodeUnsigned(value, 'u64');
      return () => (data) => BigInt(data.length) === size;
    }
    case 'memcmp':
      return decodeMemcmp(value);
    case 'tokenAccountState':
      if (value !== null) throw invalidType(value, 'unit');
      return () => isTokenAccount;
    default:
      throw unknownVariant(name, filterTypes);
  }
}

function decodeMemcmp(value: unknown): Filter {
  const memcmp = decodeStruct(value, 'Memcmp');
  const offset = decodeUnsigned(requireField(memcmp, 'offset'), 'usize');
  const encoded = requireField(memcmp, 'bytes');
  const encoding = decodeOptional(memcmp['encoding'], (name) => decodeVariant(name, byteEncodings));
  const readBytes = readerOf(encoded, encoding === 'base64' ? 'base64' : 'base58');
  return () => {
    const bytes = readBytes();
    if (bytes.length > maxBytes) throw errors.invalidParam('DataTooLarge');
    return (data) => {
      if (offset > BigInt(data.length)) return false;
      const at = Number(offset);
      return Buffer.compare(data.subarray(at, at + bytes.length), bytes) === 0;
    };
  };
}

/** Text with encoding "bytes" is base58; an array is bytes with any encoding. */
function readerOf(encoded: unknown, encoding: 'base58' | 'base64'): () => Uint8Array {
  if (typeof encoded === 'string') return () => decodeText(encoded, encoding);
  if (Array.isArray(encoded) && encoded.every(isByte)) return () => Uint8Array.from(encoded);
  throw errors.invalidParams('data did not match any variant of untagged enum DataType');
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}

function decodeText(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  if (text.length > maxText[encoding]) throw errors.invalidParam('DataTooLarge');
  const decoded = encoding === 'base58' ? decodeBase58(text) : decodeBase64(text);
  if ('bytes' in decoded) return decoded.bytes;
  const name = encoding === 'base58' ? 'Base58DecodeError' : 'Base64DecodeError';
  throw errors.invalidParam(`${name}(${decoded.error})`);
}
