import { base58 } from '@scure/base';

/** Encodes 32 bytes as the base58 text a public key is written as. */
export function encodeAddress(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** Decodes a known-good address; an address a caller sent goes through `parseAddress` instead. */
export function decodeAddress(address: string): Uint8Array {
  return base58.decode(address);
}

/** Programs every cluster has at the same address. */
export const programs = Object.freeze({
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
});

/** The mint whose tokens are wrapped lamports. */
export const nativeMint = 'So11111111111111111111111111111111111111112';
