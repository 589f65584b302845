import { hash, randomBytes } from 'node:crypto';

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

/** Returns a new random key. By its beginning, a leaked one is recognized as one of specgate's. */
export function generateSecret(): string {
  return `sg_${randomBytes(24).toString('base64url')}`;
}

/** A generated key; after a letter or digit it may be another id, such as `msg_` and 32 characters. */
const GENERATED = /(?<![A-Za-z0-9])sg_[\w-]{32}/;

/** Whether a text contains what may be a generated key, known or not. */
export function containsGeneratedKey(text: string): boolean {
  return GENERATED.test(text);
}

/** Returns the parts of a text that have the form of a generated key, wherever they begin. */
export function partsLikeGeneratedKeys(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?=(sg_[\w-]{32}))/g), ([, part]) => part!);
}

export function isHashable(text: string): boolean {
  return text.length <= MAX_KEY_CHARACTERS;
}
