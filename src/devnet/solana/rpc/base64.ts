import type { Decoded } from './base58.ts';

const outside = /[^A-Za-z0-9+/=]/;

/** Decodes padded base64 text; flaws in the words of Rust's base64 (`DecodeError`, Debug). */
export function decodeBase64(text: string): Decoded {
  const strange = outside.exec(text) ?? /=(?!=?$)/.exec(text);
  if (strange !== null) {
    const byte = Buffer.from(strange[0])[0];
    return { flaw: `InvalidByte(${strange.index}, ${byte})` };
  }
  if (text.length % 4 === 1) return { flaw: `InvalidLength(${text.length})` };
  if (text.length % 4 !== 0) return { flaw: 'InvalidPadding' };
  return { bytes: Buffer.from(text, 'base64') };
}
