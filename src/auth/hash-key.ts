import { hash } from 'node:crypto';

/** Longer texts are rejected before hashing. */
export const MAX_KEY_CHARACTERS = 128;

/** Returns the SHA-256 of a key in hex, under which it is stored. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Whether a text has the form of a key; other texts are malformed rather than unknown keys. */
export function looksLikeKey(text: string): boolean {
  return /^[\w-]{16,128}$/.test(text);
}

export function isHashable(text: string): boolean {
  return text.length <= MAX_KEY_CHARACTERS;
}
