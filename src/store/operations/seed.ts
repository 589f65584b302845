import type { Operation, Row } from '../database.ts';
import type { AccountTerms, Key } from '../records.ts';
import { termColumns } from './accounts.ts';
import { nextRevision } from './changes.ts';
import { insertRow, toKey, updateRow, type Columns } from './rows.ts';

/**
 * Creates an account, or changes it if the configuration changed since it was last seeded: what an
 * administrator changed in the meantime stays. Its plan must exist. A suspended account stays
 * suspended.
 */
export const putAccount: Operation<AccountTerms, void> = {
  access: 'write',
  async run({ query }, account) {
    const revision = await nextRevision(query);
    const { id } = account;
    const terms = termColumns(account);
    const seeded = JSON.stringify(terms);
    const [known] = await query(`SELECT seeded FROM accounts WHERE id = ?`, [id]);
    if (known === undefined) {
      await insertRow(query, 'accounts', { id, ...terms, seeded, revision });
    } else if (known['seeded'] !== seeded) {
      await updateRow(query, 'accounts', { id }, { ...terms, seeded, revision });
    }
  },
};

/**
 * Creates a key, or changes what the configuration changed since it was last seeded: what an
 * administrator changed in the meantime stays. Its account must exist. A revoked key stays revoked,
 * and the expiry of a key that was rotated, or created by an administrator, is never extended.
 */
export const putKey: Operation<Key, void> = {
  access: 'write',
  async run({ query }, { id, accountId, hash, prefix, allow, expiresAt_ms, revokedAt_ms }) {
    const revision = await nextRevision(query);
    const columns: Columns = {
      account_id: accountId,
      allow: JSON.stringify(allow),
      expires_at_ms: expiresAt_ms,
      revoked_at_ms: revokedAt_ms,
    };
    const seeded = JSON.stringify(columns);
    const [known] = await query(`SELECT * FROM keys WHERE id = ?`, [id]);
    if (known === undefined) {
      await insertRow(query, 'keys', { id, hash, prefix, ...columns, seeded, revision });
    } else if (known['seeded'] !== seeded) {
      await updateRow(query, 'keys', { id }, { ...pickChanges(known, columns), seeded, revision });
    }
  },
};

/** Returns the configured columns that are to be written to a stored key. */
function pickChanges(row: Row, configured: Columns): Columns {
  const { seeded, rotated_at_ms: rotatedAt_ms = null } = row;
  const before = typeof seeded === 'string' ? (JSON.parse(seeded) as Columns) : undefined;
  const { expiresAt_ms, revokedAt_ms } = toKey(row);
  const mayNotExtend = before === undefined || rotatedAt_ms !== null;
  const isLonger =
    expiresAt_ms !== null && Number(configured['expires_at_ms'] ?? Infinity) > expiresAt_ms;
  const kept = new Set<string>();
  if (revokedAt_ms !== null) kept.add('revoked_at_ms');
  if (mayNotExtend && isLonger) kept.add('expires_at_ms');
  const changes = Object.entries(configured).filter(
    ([column, value]) => !kept.has(column) && before?.[column] !== value,
  );
  return Object.fromEntries(changes);
}
