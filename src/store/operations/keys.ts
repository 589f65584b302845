import { read, write, type Query, type Row } from '../database.ts';
import type { Key, KeyChange, KeyEntry, KeyRotation, NewKey } from '../records.ts';
import type { Page } from './accounts.ts';
import { nextRevision } from './changes.ts';
import {
  columnOf,
  columns,
  insertRow,
  seedOf,
  toKey,
  updateRow,
  type Fields,
  type StoredKey,
} from './rows.ts';

/** Maximum number of keys per page; the next page starts after the last id. */
export const KEYS_PER_PAGE = 1_000;

/**
 * Creates a key, or updates the fields whose configuration has changed since the key was last seeded;
 * other changes of an administrator stay. Its account must exist. A revoked key stays revoked, and the
 * expiry of a key that was rotated, or created by an administrator, is never extended.
 */
export const putKey = write<Key, void>(async ({ query }, key) => {
  const revision = await nextRevision(query);
  const { id, hash, prefix, accountId, expiresAt_ms, revokedAt_ms } = key;
  const fields = { accountId, allow: JSON.stringify(key.allow), expiresAt_ms, revokedAt_ms };
  const seeded = seedOf(fields);
  const [known] = await query(`SELECT * FROM keys WHERE id = ?`, [id]);
  if (known === undefined) {
    await insertRow(query, 'keys', { id, hash, prefix, ...fields, seeded, revision });
  } else if (known['seeded'] !== seeded) {
    await updateRow(query, 'keys', { id }, { ...pickChanges(known, fields), seeded, revision });
  }
});

/** Returns the configured fields to write to a stored key. */
function pickChanges(row: Row, configured: Fields): Fields {
  const { seeded, revokedAt_ms, expiresAt_ms, rotatedAt_ms } = row;
  const before = typeof seeded === 'string' ? (JSON.parse(seeded) as Row) : undefined;
  const mayNotExtend = before === undefined || rotatedAt_ms !== null;
  const isLonger =
    expiresAt_ms !== null && Number(configured['expiresAt_ms'] ?? Infinity) > Number(expiresAt_ms);
  const kept = new Set<string>();
  if (revokedAt_ms !== null) kept.add('revokedAt_ms');
  if (mayNotExtend && isLonger) kept.add('expiresAt_ms');
  const changes = Object.entries(configured).filter(
    ([field, value]) => !kept.has(field) && before?.[columnOf(field)] !== value,
  );
  return Object.fromEntries(changes);
}

/** Creates a key. Resolves to undefined if the account does not exist. */
export const createKey = write<NewKey, KeyEntry | undefined>(async ({ query, now_ms }, key) => {
  const revision = await nextRevision(query);
  const [account] = await query(`SELECT id FROM accounts WHERE id = ?`, [key.accountId]);
  if (account === undefined) return undefined;
  return insertKey(query, key, { revision, createdAt_ms: await now_ms() });
});

/** Changes a key. Resolves to undefined if it does not exist. */
export const updateKey = write<KeyChange, KeyEntry | undefined>(async ({ query }, change) => {
  const revision = await nextRevision(query);
  const { id, label, allow, dropsAllow = false, expiresAt_ms } = change;
  const key = await findKey(query, id);
  if (key === undefined) return undefined;
  return changeKey(query, id, {
    label: label === undefined ? key.label : label,
    allow: JSON.stringify({ ...(dropsAllow ? {} : key.allow), ...allow }),
    expiresAt_ms: expiresAt_ms === undefined ? key.expiresAt_ms : expiresAt_ms,
    revision,
  });
});

/** Revokes a key; the time of an earlier revocation stays. Resolves to undefined if not found. */
export const revokeKey = write<string, KeyEntry | undefined>(async ({ query, now_ms }, id) => {
  const revision = await nextRevision(query);
  const key = await findKey(query, id);
  if (key === undefined || key.revokedAt_ms !== null) return key;
  return changeKey(query, id, { revokedAt_ms: await now_ms(), revision });
});

export interface Rotated {
  readonly old: KeyEntry;
  readonly replacement: KeyEntry | undefined;
}

/**
 * Replaces a key. Resolves to undefined if it does not exist, to the old key alone if it is revoked
 * or expired, otherwise to both.
 */
export const rotateKey = write<KeyRotation, Rotated | undefined>(
  async ({ query, now_ms: readClock }, { id, replacement, overlap_ms }) => {
    const revision = await nextRevision(query);
    const now_ms = await readClock();
    const found = await findKey(query, id);
    if (found === undefined) return undefined;
    const isExpired = found.expiresAt_ms !== null && found.expiresAt_ms <= now_ms;
    if (found.revokedAt_ms !== null || isExpired) return { old: found, replacement: undefined };
    const expiresAt_ms = Math.min(now_ms + overlap_ms, found.expiresAt_ms ?? Infinity);
    const ending = overlap_ms > 0 ? { expiresAt_ms } : { revokedAt_ms: now_ms };
    const old = await changeKey(query, id, { ...ending, rotatedAt_ms: now_ms, revision });
    const key = { ...found, ...replacement };
    const created = await insertKey(query, key, { revision, createdAt_ms: now_ms });
    return { old: old!, replacement: created };
  },
);

export const listKeys = read<Page, readonly KeyEntry[]>(async ({ query }, { accountId, after }) => {
  const [condition, values] =
    accountId === undefined ? ['', []] : ['AND account_id = ?', [accountId]];
  const rows = await query<StoredEntry>(
    `${SELECT_KEYS} WHERE id > ? ${condition} ORDER BY id LIMIT ${KEYS_PER_PAGE}`,
    [after, ...values],
  );
  return rows.map(toKeyEntry);
});

const SELECT_KEYS = `SELECT ${columns.key}, label, created_at_ms FROM keys`;

type StoredEntry = Omit<KeyEntry, 'allow'> & StoredKey;

function toKeyEntry(row: StoredEntry): KeyEntry {
  return { ...row, ...toKey(row) };
}

async function insertKey(
  query: Query,
  { id, accountId, hash, prefix, allow, expiresAt_ms, label }: NewKey,
  { revision, createdAt_ms }: { readonly revision: number; readonly createdAt_ms: number },
): Promise<KeyEntry> {
  const fields = { id, accountId, hash, prefix, expiresAt_ms, label, createdAt_ms };
  await insertRow(query, 'keys', { ...fields, allow: JSON.stringify(allow), revision });
  return { ...fields, allow, revokedAt_ms: null };
}

async function findKey(query: Query, id: string): Promise<KeyEntry | undefined> {
  const [row] = await query<StoredEntry>(`${SELECT_KEYS} WHERE id = ?`, [id]);
  return row && toKeyEntry(row);
}

async function changeKey(query: Query, id: string, fields: Fields): Promise<KeyEntry | undefined> {
  await updateRow(query, 'keys', { id }, fields);
  return findKey(query, id);
}
