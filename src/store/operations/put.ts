import type { Operation } from '../database.ts';
import type { AccountTerms, Key, Plan } from '../records.ts';
import { nextRevision } from './changes.ts';

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

/** Creates an account or replaces its terms; its plan must exist. A suspended one stays so. */
export const putAccount: Operation<AccountTerms, void> = {
  access: 'write',
  async run({ query }, { id, plan, creditsPerDay, callsPerSecond }) {
    await query(
      `INSERT INTO accounts (id, plan, credits_per_day, calls_per_second, revision)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET plan = excluded.plan,
       credits_per_day = excluded.credits_per_day, calls_per_second = excluded.calls_per_second,
       revision = excluded.revision`,
      [id, plan, creditsPerDay, callsPerSecond, await nextRevision(query)],
    );
  },
};

/** Creates or replaces a key; its account must exist. One that was revoked stays so. */
export const putKey: Operation<Key, void> = {
  access: 'write',
  async run({ query }, { id, accountId, hash, prefix, allow, expiresAt_ms, revokedAt_ms }) {
    const revision = await nextRevision(query);
    await query(
      `INSERT INTO keys (id, account_id, hash, prefix, allow, expires_at_ms, revoked_at_ms, revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       account_id = excluded.account_id, hash = excluded.hash, prefix = excluded.prefix,
       allow = excluded.allow, expires_at_ms = excluded.expires_at_ms,
       revoked_at_ms = COALESCE(keys.revoked_at_ms, excluded.revoked_at_ms), revision = excluded.revision`,
      [id, accountId, hash, prefix, JSON.stringify(allow), expiresAt_ms, revokedAt_ms, revision],
    );
  },
};
