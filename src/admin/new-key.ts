import { hashKey } from '../auth/hash-key.ts';
import type { Key } from '../store/records.ts';

/** Told with every key, so that one that turns up somewhere is known for what it is. */
const MARK = 'sg_';
const SECRET_BYTES = 24;
/** Letters kept for display: the mark and four more. */
const PREFIX_LETTERS = 7;
const ID_LETTERS = 12;

export interface FreshKey extends Pick<Key, 'id' | 'hash' | 'prefix'> {
  /** The key itself: shown once, stored nowhere. */
  readonly secret: string;
}

/** Makes a key of 192 random bits. */
export function makeKey(randomBytes: (count: number) => Buffer): FreshKey {
  const secret = MARK + randomBytes(SECRET_BYTES).toString('base64url');
  const hash = hashKey(secret);
  return {
    secret,
    hash,
    id: `key-${hash.slice(0, ID_LETTERS)}`,
    prefix: secret.slice(0, PREFIX_LETTERS),
  };
}
