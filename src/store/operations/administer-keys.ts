import type { KeyChange, KeyEntry, KeyRotation, NewKey } from '../administration.ts';
import type { Operation, Query, Row, Value } from '../database.ts';
import { nextRevision } from './changes.ts';
import { toKey, toNumber } from './rows.ts';

/** Most keys told of in one go; the next go begins after the last of them. */
export const KEYS_A_PAGE = 1_000;

/** Creates a key. Resolves to undefined when there is no such account. */
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

/** Changes a key. Resolves to undefined when there is none. */
export const updateKey: Operation<KeyChange, KeyEntry | undefined> = {
  access: 'write',
  async run({ query }, { id, label, allow, dropsAllow = false, expiresAt_ms }) {
    const revision = await nextRevision(query);
    const key = await findKey(query, id);
    if (key === undefined) return undefined;
    return change(query, id, {
      label: label === undefined ? key.label : label,
      allow: JSON.stringify({ ...(dropsAllow ? {} : key.allow), ...allow }),
      expires_at_ms: expiresAt_ms === undefined ? key.expiresAt_ms : expiresAt_ms,
      revision,
    });
  },
};

/** Revokes a key; one revoked before stays so since then. Resolves to undefined without one. */
export const revokeKey: Operation<string, KeyEntry | undefined> = {
  access: 'write',
  async run(transaction, id) {
    const { query } = transaction;
    const revision = await nextRevision(query);
    const key = await findKey(query, id);
    if (key === undefined || key.revokedAt_ms !== null) return key;
    return change(query, id, { revoked_at_ms: await transaction.now_ms(), revision });
  },
};

/**
 * Puts another key in the place of one. Resolves to undefined when there is none, to the old one when
 * it is not accepted any more, otherwise to both.
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
    const isOver = found.expiresAt_ms !== null && found.expiresAt_ms <= now_ms;
    if (found.revokedAt_ms !== null || isOver) return { old: found, replacement: undefined };
    const endsAt_ms = Math.min(now_ms + overlap_ms, found.expiresAt_ms ?? Infinity);
    const ending = overlap_ms > 0 ? { expires_at_ms: endsAt_ms } : { revoked_at_ms: now_ms };
    const old = await change(query, id, { ...ending, rotated_at_ms: now_ms, revision });
    const { accountId, allow, expiresAt_ms, label } = found;
    const key = { ...replacement, accountId, allow, expiresAt_ms, label };
    return { old: old!, replacement: await insertKey(query, key, { revision, now_ms }) };
  },
};

/** Keys of one account or of all, whose ids come after the given one; at most KEYS_A_PAGE. */
export const listKeys: Operation<
  { readonly accountId: string | undefined; readonly after: string },
  readonly KeyEntry[]
> = {
  access: 'read',
  async run({ query }, { accountId, after }) {
    const [condition, values] =
      accountId === undefined ? ['', []] : ['AND account_id = ?', [accountId]];
    const rows = await query(
      `SELECT * FROM keys WHERE id > ? ${condition} ORDER BY id LIMIT ${KEYS_A_PAGE}`,
      [after, ...values],
    );
    return rows.map(toEntry);
  },
};

async function insertKey(
  query: Query,
  key: NewKey,
  { revision, now_ms }: { readonly revision: number; readonly now_ms: number },
): Promise<KeyEntry> {
  const { id, accountId, hash, prefix, allow, expiresAt_ms, label } = key;
  await query(
    `INSERT INTO keys (id, account_id, hash, prefix, allow, expires_at_ms, label, created_at_ms,
     revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, accountId, hash, prefix, JSON.stringify(allow), expiresAt_ms, label, now_ms, revision],
  );
  return { ...key, revokedAt_ms: null, createdAt_ms: now_ms };
}

async function findKey(query: Query, id: string): Promise<KeyEntry | undefined> {
  const [row] = await query(`SELECT * FROM keys WHERE id = ?`, [id]);
  return row === undefined ? undefined : toEntry(row);
}

async function change(
  query: Query,
  id: string,
  columns: Readonly<Record<string, Value>>,
): Promise<KeyEntry | undefined> {
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  const [row] = await query(`UPDATE keys SET ${assignments.join(', ')} WHERE id = ? RETURNING *`, [
    ...Object.values(columns),
    id,
  ]);
  return row === undefined ? undefined : toEntry(row);
}

function toEntry(row: Row): KeyEntry {
  const label = row['label'] ?? null;
  return {
    ...toKey(row),
    label: label === null ? null : String(label),
    createdAt_ms: toNumber(row['created_at_ms']),
  };
}
