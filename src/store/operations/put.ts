import type { Operation, Query, Row, Value } from '../database.ts';
import type { AccountTerms, Key, Plan } from '../records.ts';
import { nextRevision } from './changes.ts';
import { toKey } from './rows.ts';

type Columns = Readonly<Record<string, Value>>;

/** Creates or replaces a plan. */
export const putPlan: Operation<Plan, void> = {
  access: 'write',
  async run({ query }, { name, creditsPerDay, callsPerSecond, forwarding }) {
    await query(
      `INSERT INTO plans (name, credits_per_day, calls_per_second, forwarding, revision)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
       credits_per_day = excluded.credits_per_day, calls_per_second = excluded.calls_per_second,
       forwarding = excluded.forwarding, revision = excluded.revision`,
      [name, creditsPerDay, callsPerSecond, Number(forwarding), await nextRevision(query)],
    );
  },
};

/**
 * Creates an account, or replaces its terms where these are not those of the last time: what an
 * administrator made of it since then stays. Its plan must exist. A suspended one stays so.
 */
export const putAccount: Operation<AccountTerms, void> = {
  access: 'write',
  async run({ query }, { id, plan, creditsPerDay, callsPerSecond }) {
    const revision = await nextRevision(query);
    const terms = { plan, credits_per_day: creditsPerDay, calls_per_second: callsPerSecond };
    const seeded = JSON.stringify(terms);
    const [known] = await query(`SELECT seeded FROM accounts WHERE id = ?`, [id]);
    if (known === undefined) {
      return insert(query, 'accounts', { id, ...terms, seeded, revision });
    }
    if (known['seeded'] === seeded) return;
    await update(query, 'accounts', { id, columns: { ...terms, seeded, revision } });
  },
};

/**
 * Creates a key, or changes what is said otherwise of it than the last time: what an administrator
 * made of the rest stays. Its account must exist. One that was revoked stays so, and one that was
 * rotated, or was there before anything was said of it, ends no later than it would.
 */
export const putKey: Operation<Key, void> = {
  access: 'write',
  async run({ query }, { id, accountId, hash, prefix, allow, expiresAt_ms, revokedAt_ms }) {
    const revision = await nextRevision(query);
    const said: Columns = {
      account_id: accountId,
      allow: JSON.stringify(allow),
      expires_at_ms: expiresAt_ms,
      revoked_at_ms: revokedAt_ms,
    };
    const seeded = JSON.stringify(said);
    const [known] = await query(`SELECT * FROM keys WHERE id = ?`, [id]);
    if (known === undefined) {
      return insert(query, 'keys', { id, hash, prefix, ...said, seeded, revision });
    }
    if (known['seeded'] === seeded) return;
    const columns = { ...pickChanges(known, said), seeded, revision };
    await update(query, 'keys', { id, columns });
  },
};

/** What of a key's row is to follow what is said of it now. */
function pickChanges(row: Row, said: Columns): Columns {
  const { seeded, rotated_at_ms: rotatedAt_ms = null } = row;
  const before = typeof seeded === 'string' ? (JSON.parse(seeded) as Columns) : undefined;
  const { expiresAt_ms, revokedAt_ms } = toKey(row);
  const isBound = before === undefined || rotatedAt_ms !== null;
  const isLonger =
    expiresAt_ms !== null && Number(said['expires_at_ms'] ?? Infinity) > expiresAt_ms;
  const kept = new Set<string>();
  if (revokedAt_ms !== null) kept.add('revoked_at_ms');
  if (isBound && isLonger) kept.add('expires_at_ms');
  const changes = Object.entries(said).filter(
    ([column, value]) => !kept.has(column) && before?.[column] !== value,
  );
  return Object.fromEntries(changes);
}

async function insert(query: Query, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  const places = names.map(() => '?').join(', ');
  await query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`,
    Object.values(columns),
  );
}

async function update(
  query: Query,
  table: string,
  { id, columns }: { readonly id: string; readonly columns: Columns },
): Promise<void> {
  const assignments = Object.keys(columns).map((column) => `${column} = ?`);
  await query(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?`, [
    ...Object.values(columns),
    id,
  ]);
}
