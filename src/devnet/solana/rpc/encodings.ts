import { base58 } from '@scure/base';
import { errors } from './errors.ts';

const alphabet = /[^1-9A-HJ-NP-Za-km-z]/u;

/** Bytes, or the error as Rust's crate formats it (Debug). */
export type Decoded = { readonly bytes: Uint8Array } | { readonly error: string };

/** Decodes base58 text as Rust's bs58 does; the time is quadratic in the length. */
export function decodeBase58(text: string): Decoded {
  const match = alphabet.exec(text);
  if (match === null) return { bytes: base58.decode(text) };
  const [character] = match;
  const error = /^[\0-\x7f]$/.test(character)
    ? `InvalidCharacter { character: '${character}', index: ${match.index} }`
    : `NonAsciiCharacter { index: ${match.index} }`;
  return { error };
}

const outside = /[^A-Za-z0-9+/=]/;

/** Decodes padded base64 text as Rust's base64 does. */
export function decodeBase64(text: string): Decoded {
  const strange = outside.exec(text) ?? /=(?!=?$)/.exec(text);
  if (strange !== null) {
    const byte = Buffer.from(strange[0])[0];
    return { error: `InvalidByte(${strange.index}, ${byte})` };
  }
  if (text.length % 4 === 1) return { error: `InvalidLength(${text.length})` };
  if (text.length % 4 !== 0) return { error: 'InvalidPadding' };
  return { bytes: Buffer.from(text, 'base64') };
}

/** Maximum length of 32 bytes in base58. */
const maxCharacters = 44;

/**
 * Checks the address of a caller (solana-address, `FromStr`).
 *
 * @throws NodeError -32602 `Invalid param: WrongSize` if it is not 32 bytes, `Invalid param: Invalid`
 *   if it is not base58.
 */
export function parseAddress(text: string): string {
  if (text.length > maxCharacters) throw errors.invalidParam('WrongSize');
  const decoded = decodeBase58(text);
  if ('error' in decoded) throw errors.invalidParam('Invalid');
  if (decoded.bytes.length !== 32) throw errors.invalidParam('WrongSize');
  return text;
}
