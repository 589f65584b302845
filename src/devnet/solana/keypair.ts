import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { encodeAddress } from './addresses.ts';

/** An ed25519 signer and the address it signs for. */
export interface Keypair {
  readonly address: string;
  sign(message: Uint8Array): Uint8Array;
}

/** PKCS #8 wrapping of a raw ed25519 seed (RFC 8410 section 7), which node:crypto wants around it. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Bytes that are the same in every run: the hash of a name. */
export function namedBytes(name: string): Buffer {
  return createHash('sha256').update(`specgate devnet: ${name}`).digest();
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32);
}

/** The keypair of a name: no secret, for a ledger that only exists on the developer's machine. */
export function namedKeypair(name: string): Keypair {
  const der = Buffer.concat([pkcs8Prefix, namedBytes(name)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    address: encodeAddress(rawPublicKey(key)),
    sign: (message) => sign(null, message, key),
  };
}
