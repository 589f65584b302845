import { decodeBase58 } from './base58.ts';
import { errors } from './errors.ts';

/** The longest text 32 bytes make in base58. */
const maxCharacters = 44;

/**
 * Checks an address a caller sent (solana-address, `FromStr`).
 *
 * @throws NodeError -32602 `Invalid param: WrongSize` when it is not 32 bytes, `Invalid param:
 *   Invalid` when it is not base58.
 */
export function parseAddress(text: string): string {
  if (text.length > maxCharacters) throw errors.invalidParam('WrongSize');
  const decoded = decodeBase58(text);
  if ('flaw' in decoded) throw errors.invalidParam('Invalid');
  if (decoded.bytes.length !== 32) throw errors.invalidParam('WrongSize');
  return text;
}
