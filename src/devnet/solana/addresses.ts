import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { base58 } from '@scure/base';

/** Encodes the 32 bytes of a public key. */
export const encodeAddress = base58.encode;

/** Decodes a valid address; `parseAddress` checks addresses of callers. */
export const decodeAddress = base58.decode;

/** Programs that have the same address on every cluster. */
export const programs = Object.freeze({
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
});

/** The mint of wrapped lamports. */
export const nativeMint = 'So11111111111111111111111111111111111111112';

/** The PKCS #8 prefix of an ed25519 seed (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the hash of a name: bytes that are the same in every run. */
export function namedBytes(name: string): Buffer {
  return createHash('sha256').update(`specgate devnet: ${name}`).digest();
}

/** Returns the public key of a keypair that is derived from a name. */
export function namedAddress(name: string): string {
  const der = Buffer.concat([pkcs8Prefix, namedBytes(name)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return encodeAddress(createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32));
}

/** The owners of accounts. The issuer paid for all of them. */
export const people = Object.freeze({
  issuer: namedAddress('issuer'),
  alice: namedAddress('alice'),
  bob: namedAddress('bob'),
  carol: namedAddress('carol'),
  dave: namedAddress('dave'),
});
