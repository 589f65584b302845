import { hash } from 'node:crypto';

/** Keys as they are stored and looked up: SHA-256, hex. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Nothing longer is hashed. */
const LONGEST_KEY = 128;

/** Whether a key of this service could look so; what does not is called malformed, not unknown. */
export function looksLikeKey(text: string): boolean {
  return /^[\w-]{16,128}$/.test(text);
}

export function isHashable(text: string): boolean {
  return text.length <= LONGEST_KEY;
}
