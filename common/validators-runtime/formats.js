// String formats that are checked; any other `format` of a schema is an annotation.

import { countText } from './helpers.js';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const VALUES = new Uint8Array(128);
for (let value = 0; value < 58; value += 1) VALUES[BASE58.charCodeAt(value)] = value;

/** Four digits are decoded at a time: a 24-bit word times 58^4 is exact in a double. */
const WORD = 2 ** 24;

/** 32 bytes take at most 44 base-58 digits. */
const MAX_KEY_DIGITS = 44;

function isBase58(text) {
  countText(text);
  return /^[1-9A-HJ-NP-Za-km-z]*$/.test(text);
}

/** Returns the decoded length in bytes; leading "1" digits are zero bytes. */
function base58Bytes(text) {
  let start = 0;
  while (text[start] === '1') start += 1;
  const words = [];
  for (let from = start; from < text.length; from += 4) {
    let carry = 0;
    let scale = 1;
    for (let at = from; at < from + 4 && at < text.length; at += 1) {
      carry = carry * 58 + VALUES[text.charCodeAt(at)];
      scale *= 58;
    }
    for (let index = 0; index < words.length; index += 1) {
      carry += words[index] * scale;
      words[index] = carry % WORD;
      carry = Math.floor(carry / WORD);
    }
    if (carry > 0) words.push(carry);
  }
  const top = words.at(-1) ?? 0;
  const topBytes = top === 0 ? 0 : Math.ceil((32 - Math.clz32(top)) / 8);
  return start + (words.length === 0 ? 0 : (words.length - 1) * 3 + topBytes);
}

function isPublicKey(text) {
  return text.length <= MAX_KEY_DIGITS && isBase58(text) && base58Bytes(text) === 32;
}

function isBase64(text) {
  countText(text);
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

export const formats = {
  // No inherited members: a document may name a format "toString".
  __proto__: null,
  'solana-public-key': isPublicKey,
  base58: isBase58,
  base64: isBase64,
};

/** The name of each format in error messages. */
export const formatNames = {
  __proto__: null,
  'solana-public-key': 'a public key: base-58 that decodes to 32 bytes',
  base58: 'base-58 text',
  base64: 'base-64 text',
};
