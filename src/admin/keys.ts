import { randomBytes } from 'node:crypto';
import type { KeyChange, KeyEntry, NewKey } from '../store/administration.ts';
import { KEYS_A_PAGE } from '../store/operations/administer-keys.ts';
import type { Store } from '../store/store.ts';
import { findAccount, noAccount } from './accounts.ts';
import { AdminError } from './admin-error.ts';
import { makeKey } from './new-key.ts';

/** A key, and the only time it is shown. */
export interface IssuedKey {
  readonly key: KeyEntry;
  readonly secret: string;
}

/** Creates a key. Throws AdminError when there is no such account. */
export async function createKey(
  store: Store,
  wish: Pick<NewKey, 'accountId' | 'label' | 'allow' | 'expiresAt_ms'>,
): Promise<IssuedKey> {
  const { secret, ...fresh } = makeKey(randomBytes);
  const key = await store.createKey({ ...fresh, ...wish });
  if (key === undefined) throw noAccount(wish.accountId);
  return { key, secret };
}

/** Changes what a key may do, how long, and its label. Throws AdminError when there is none. */
export async function updateKey(store: Store, change: KeyChange): Promise<KeyEntry> {
  return found(change.id, await store.updateKey(change));
}

/** Refuses a key from now on. Throws AdminError when there is none. */
export async function revokeKey(store: Store, id: string): Promise<KeyEntry> {
  return found(id, await store.revokeKey(id));
}

/** Puts a new key in the place of one, which is accepted for `overlap_ms` more. Throws AdminError. */
export async function rotateKey(
  store: Store,
  id: string,
  overlap_ms: number,
): Promise<IssuedKey & { readonly old: KeyEntry }> {
  const { secret, ...replacement } = makeKey(randomBytes);
  const rotated = await store.rotateKey({ id, replacement, overlap_ms });
  if (rotated === undefined) throw noKey(id);
  const { old, replacement: key } = rotated;
  if (key === undefined) {
    const state = old.revokedAt_ms === null ? 'has expired' : 'was revoked';
    throw new AdminError(`key ${id} ${state}; create another with: specgate keys create`);
  }
  return { key, secret, old };
}

/** The keys of an account, or all. Throws AdminError when there is no such account. */
export async function listKeys(store: Store, accountId?: string): Promise<readonly KeyEntry[]> {
  if (accountId !== undefined) await findAccount(store, accountId);
  const keys: KeyEntry[] = [];
  for (;;) {
    const page = await store.listKeys({ accountId, after: keys.at(-1)?.id ?? '' });
    keys.push(...page);
    if (page.length < KEYS_A_PAGE) return keys;
  }
}

/** Whether a key is accepted, as a word; its account may be suspended all the same. */
export function stateOfKey(
  { revokedAt_ms, expiresAt_ms }: KeyEntry,
  now_ms: number,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt_ms !== null) return 'revoked';
  return expiresAt_ms !== null && expiresAt_ms <= now_ms ? 'expired' : 'active';
}

function noKey(id: string): AdminError {
  return new AdminError(`there is no key ${id}; see them with: specgate keys list`);
}

function found(id: string, key: KeyEntry | undefined): KeyEntry {
  if (key === undefined) throw noKey(id);
  return key;
}
