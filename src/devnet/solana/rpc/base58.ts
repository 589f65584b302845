import { base58 } from '@scure/base';

const alphabet = /[^1-9A-HJ-NP-Za-km-z]/u;

/** Bytes, or what is wrong with the text in the words of Rust's bs58 (`decode::Error`, Debug). */
export type Decoded = { readonly bytes: Uint8Array } | { readonly flaw: string };

/** Decodes base58 text a caller sent; keep it short, the work grows with its square. */
export function decodeBase58(text: string): Decoded {
  const match = alphabet.exec(text);
  if (match === null) return { bytes: base58.decode(text) };
  const [character] = match;
  const flaw = /^[\0-\x7f]$/.test(character)
    ? `InvalidCharacter { character: '${character}', index: ${match.index} }`
    : `NonAsciiCharacter { index: ${match.index} }`;
  return { flaw };
}
