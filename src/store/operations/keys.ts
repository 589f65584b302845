import type { Operation, Query } from '../database.ts';
import type { KeyChange, KeyEntry, KeyRotation, NewKey } from '../records.ts';
import { nextRevision } from './changes.ts';
import { insertRow, toKeyEntry, updateRow, type Columns } from './rows.ts';

/** Maximum number of keys per page; the next page starts after the last id. */
export const KEYS_PER_PAGE = 1_000;

/** Creates a key. Resolves to undefined if the account does not exist. */
export const createKey: Operation<NewKey, KeyEntry | undefined> = {
  access: 'write',
  async run(transaction, key) {
    const { query } = transaction;
    const revision = await nextRevision(query);
    const [account] = await query(`SELECT id FROM accounts WHERE id = ?`, [key.accountId]);
    if (account === undefined) return undefined;
    return insertKey(query, key, { revision, now_ms: await transaction.now_ms() });
  },
};

/** Changes a key. Resolves to undefined if it does not exist. */
export const updateKey: Operation<KeyChange, KeyEntry | undefined> = {
  access: 'write',
  async run({ query }, { id, label, allow, dropsAllow = false, expiresAt_ms }) {
    const revision = await nextRevision(query);
    const key = await findKey(query, id);
    if (key === undefined) return undefined;
    return changeKey(query, id, {
      label: label === undefined ? key.label : label,
      allow: JSON.stringify({ ...(dropsAllow ? {} : key.allow), ...allow }),
      expires_at_ms: expiresAt_ms === undefined ? key.expiresAt_ms : expiresAt_ms,
      revision,
    });
  },
};

/** Revokes a key; the time of an earlier revocation stays. Resolves to undefined if not found. */
export const revokeKey: Operation<string, KeyEntry | undefined> = {
  access: 'write',
  async run(transaction, id) {
    const { query } = transaction;
    const revision = await nextRevision(query);
    const key = await findKey(query, id);
    if (key === undefined || key.revokedAt_ms !== null) return key;
    return changeKey(query, id, { revoked_at_ms: await transaction.now_ms(), revision });
  },
};

/**
 * Replaces a key. Resolves to undefined if it does not exist, to the old key alone if it is revoked
 * or expired, otherwise to both.
 */
export const rotateKey: Operation<
  KeyRotation,
  { readonly old: KeyEntry; readonly replacement: KeyEntry | undefined } | undefined
> = {
  access: 'write',
  async run(transaction, { id, replacement, overlap_ms }) {
    const { query } = transaction;
    const revision = await nextRevision(query);
    const now_ms = await transaction.now_ms();
    const found = await findKey(query, id);
    if (found === undefined) return undefined;
    const isExpired = found.expiresAt_ms !== null && found.expiresAt_ms <= now_ms;
    if (found.revokedAt_ms !== null || isExpired) return { old: found, replacement: undefined };
    const endsAt_ms = Math.min(now_ms + overlap_ms, found.expiresAt_ms ?? Infinity);
    const ending = overlap_ms > 0 ? { expires_at_ms: endsAt_ms } : { revoked_at_ms: now_ms };
    const old = await changeKey(query, id, { ...ending, rotated_at_ms: now_ms, revision });
    const { accountId, allow, expiresAt_ms, label } = found;
    const key = { ...replacement, accountId, allow, expiresAt_ms, label };
    return { old: old!, replacement: await insertKey(query, key, { revision, now_ms }) };
  },
};

/** Lists a page of the keys of one account or of all, with ids after the given one. */
export const listKeys: Operation<
  { readonly accountId: string | undefined; readonly after: string },
  readonly KeyEntry[]
> = {
  access: 'read',
  async run({ query }, { accountId, after }) {
    const [condition, values] =
      accountId === undefined ? ['', []] : ['AND account_id = ?', [accountId]];
    const rows = await query(
      `SELECT * FROM keys WHERE id > ? ${condition} ORDER BY id LIMIT ${KEYS_PER_PAGE}`,
      [after, ...values],
    );
    return rows.map(toKeyEntry);
  },
};

async function insertKey(
  query: Query,
  key: NewKey,
  { revision, now_ms }: { readonly revision: number; readonly now_ms: number },
): Promise<KeyEntry> {
  const { id, accountId: account_id, hash, prefix, allow, expiresAt_ms, label } = key;
  await insertRow(query, 'keys', {
    id,
    account_id,
    hash,
    prefix,
    allow: JSON.stringify(allow),
    expires_at_ms: expiresAt_ms,
    label,
    created_at_ms: now_ms,
    revision,
  });
  return { ...key, revokedAt_ms: null, createdAt_ms: now_ms };
}

async function findKey(query: Query, id: string): Promise<KeyEntry | undefined> {
  const [row] = await query(`SELECT * FROM keys WHERE id = ?`, [id]);
  return row && toKeyEntry(row);
}

async function changeKey(
  query: Query,
  id: string,
  columns: Columns,
): Promise<KeyEntry | undefined> {
  const row = await updateRow(query, 'keys', { id }, columns);
  return row && toKeyEntry(row);
}
