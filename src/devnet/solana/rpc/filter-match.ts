import { isTokenAccount } from '../token/state.ts';
import { decodeBase58, type Decoded } from './base58.ts';
import { decodeBase64 } from './base64.ts';
import { errors } from './errors.ts';
import type { EncodedBytes, Filter } from './filter.ts';

/** Whether an account's data passes. */
export type Matcher = (data: Uint8Array) => boolean;

/** Agave's bounds: the bytes compared, and the text that many bytes can make. */
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
  throw errors.invalidParam(`${name}(${decoded.flaw})`);
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
 * Makes one test of all filters.
 *
 * @throws NodeError -32602 for more than four filters, for bytes that cannot be decoded and for more
 *   than 128 of them.
 */
export function compileFilters(filters: readonly Filter[]): Matcher {
  if (filters.length > maxFilters) throw errors.tooManyFilters(maxFilters);
  const matchers = filters.map(compileFilter);
  return (data) => matchers.every((matches) => matches(data));
}
