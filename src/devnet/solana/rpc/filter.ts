import {
  decodeStruct,
  decodeUnsigned,
  decodeVariant,
  decodeOptional,
  invalidType,
  requireField,
  unknownVariant,
} from './decode.ts';
import { errors } from './errors.ts';

/** Bytes to compare, as the caller wrote them. */
export type EncodedBytes =
  | { readonly encoding: 'base58' | 'base64'; readonly text: string }
  | { readonly encoding: 'bytes'; readonly bytes: Uint8Array };

/** A filter as the caller wrote it (Agave, `rpc-client-types/src/filter.rs`). */
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
  // Text marked "bytes" is read as base58, and an array is bytes whatever it is marked.
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
