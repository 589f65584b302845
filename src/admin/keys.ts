import { generateSecret, hashKey } from '../auth/hash-key.ts';
import { KEYS_PER_PAGE } from '../store/operations/keys.ts';
import type { Key, KeyChange, KeyEntry, NewKey } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { accountNotFound, findAccount, readPages } from './accounts.ts';
import { AdminError } from './values.ts';

/** The mark and four more characters. */
const PREFIX_CHARACTERS = 7;
const ID_CHARACTERS = 12;

/** A new key with its secret, which is never stored. */
interface IssuedKey {
  readonly key: KeyEntry;
  readonly secret: string;
}

/** Creates a key. Throws AdminError if the account does not exist. */
export async function createKey(
  store: Store,
  terms: Pick<NewKey, 'accountId' | 'label' | 'allow' | 'expiresAt_ms'>,
): Promise<IssuedKey> {
  const { secret, ...generated } = generateKey();
  const key = await store.createKey({ ...generated, ...terms });
  if (key === undefined) throw accountNotFound(terms.accountId);
  return { key, secret };
}

/** Changes the allow-lists, expiry or label of a key. Throws AdminError if it does not exist. */
export async function updateKey(store: Store, change: KeyChange): Promise<KeyEntry> {
  return expectKey(change.id, await store.updateKey(change));
}

/** Revokes a key. Throws AdminError if it does not exist. */
export async function revokeKey(store: Store, id: string): Promise<KeyEntry> {
  return expectKey(id, await store.revokeKey(id));
}

/** Replaces a key; the old one stays valid for `overlap_ms`. Throws AdminError. */
export async function rotateKey(
  store: Store,
  id: string,
  overlap_ms: number,
): Promise<IssuedKey & { readonly old: KeyEntry }> {
  const { secret, ...replacement } = generateKey();
  const rotated = await store.rotateKey({ id, replacement, overlap_ms });
  if (rotated === undefined) throw keyNotFound(id);
  const { old, replacement: key } = rotated;
  if (key === undefined) {
    const state = old.revokedAt_ms === null ? 'has expired' : 'was revoked';
    throw new AdminError(`key "${id}" ${state}; create another with: specgate keys create`);
  }
  return { key, secret, old };
}

/** Lists the keys of one account or of all. Throws AdminError if the account does not exist. */
export async function listKeys(store: Store, accountId?: string): Promise<readonly KeyEntry[]> {
  if (accountId !== undefined) await findAccount(store, accountId);
  return readPages((after) => store.listKeys({ accountId, after }), KEYS_PER_PAGE);
}

/** Returns the state of a key, regardless of whether its account is suspended. */
export function stateOfKey(
  { revokedAt_ms, expiresAt_ms }: KeyEntry,
  now_ms: number,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt_ms !== null) return 'revoked';
  return expiresAt_ms !== null && expiresAt_ms <= now_ms ? 'expired' : 'active';
}

function generateKey(): Pick<Key, 'id' | 'hash' | 'prefix'> & { readonly secret: string } {
  const secret = generateSecret();
  const hash = hashKey(secret);
  const id = `key-${hash.slice(0, ID_CHARACTERS)}`;
  return { secret, hash, id, prefix: secret.slice(0, PREFIX_CHARACTERS) };
}

function keyNotFound(id: string): AdminError {
  return new AdminError(`key "${id}" not found; list keys with: specgate keys list`);
}

function expectKey(id: string, key: KeyEntry | undefined): KeyEntry {
  if (key === undefined) throw keyNotFound(id);
  return key;
}
