import type { AccountEntry, AccountOutcome } from '../administration.ts';
import type { Operation, Query } from '../database.ts';
import type { AccountTerms, Plan } from '../records.ts';
import { nextRevision } from './changes.ts';
import { toNumber, toPlan } from './rows.ts';

/** Most accounts told of in one go; the next go begins after the last of them. */
export const ACCOUNTS_A_PAGE = 1_000;

export const listPlans: Operation<null, readonly Plan[]> = {
  access: 'read',
  run: async ({ query }) => (await query(`SELECT * FROM plans ORDER BY name`)).map(toPlan),
};

/** Adds the plans there are not yet; the others stay as they are. */
export const addPlans: Operation<readonly Plan[], void> = {
  access: 'write',
  async run({ query }, plans) {
    const known = new Set((await query(`SELECT name FROM plans`)).map((row) => row['name']));
    for (const { name, creditsPerDay, callsPerSecond, forwarding } of plans) {
      if (known.has(name)) continue;
      await query(
        `INSERT INTO plans (name, credits_per_day, calls_per_second, forwarding, revision)
         VALUES (?, ?, ?, ?, ?)`,
        [name, creditsPerDay, callsPerSecond, Number(forwarding), await nextRevision(query)],
      );
    }
  },
};

/** Creates an account; not one there is already, nor on a plan that leaves a number open. */
export const createAccount: Operation<AccountTerms, AccountOutcome> = {
  access: 'write',
  async run({ query }, terms) {
    const revision = await nextRevision(query);
    const [known] = await query(`SELECT id FROM accounts WHERE id = ?`, [terms.id]);
    if (known !== undefined) return 'account_exists';
    const refusal = await refuseTerms(query, terms);
    if (refusal !== undefined) return refusal;
    await query(
      `INSERT INTO accounts (id, plan, credits_per_day, calls_per_second, revision)
       VALUES (?, ?, ?, ?, ?)`,
      [terms.id, terms.plan, terms.creditsPerDay, terms.callsPerSecond, revision],
    );
    return 'done';
  },
};

/** Puts an account on a plan, with its own numbers where given. */
export const setTerms: Operation<AccountTerms, AccountOutcome> = {
  access: 'write',
  async run({ query }, terms) {
    const refusal = await refuseTerms(query, terms);
    if (refusal !== undefined) return refusal;
    const changed = await query(
      `UPDATE accounts SET plan = ?, credits_per_day = ?, calls_per_second = ?, revision = ?
       WHERE id = ? RETURNING id`,
      [terms.plan, terms.creditsPerDay, terms.callsPerSecond, await nextRevision(query), terms.id],
    );
    return changed.length === 0 ? 'no_account' : 'done';
  },
};

/** Suspends an account, or lets it go on. Resolves to whether there is one. */
export const setSuspended: Operation<
  { readonly id: string; readonly isSuspended: boolean },
  boolean
> = {
  access: 'write',
  async run(transaction, { id, isSuspended }) {
    const { query } = transaction;
    const revision = await nextRevision(query);
    const now_ms = await transaction.now_ms();
    // Suspended twice: since the first time.
    const value = isSuspended ? `COALESCE(suspended_at_ms, ${Math.round(now_ms)})` : 'NULL';
    const changed = await query(
      `UPDATE accounts SET suspended_at_ms = ${value}, revision = ? WHERE id = ? RETURNING id`,
      [revision, id],
    );
    return changed.length > 0;
  },
};

/** One account or all, whose ids come after the given one, in their order; at most ACCOUNTS_A_PAGE. */
export const listAccounts: Operation<
  { readonly accountId: string | undefined; readonly after: string },
  readonly AccountEntry[]
> = {
  access: 'read',
  async run({ query }, { accountId, after }) {
    const [condition, values] = accountId === undefined ? ['', []] : ['AND a.id = ?', [accountId]];
    const rows = await query(
      `SELECT a.id AS id, a.plan AS plan, a.suspended_at_ms AS suspended_at_ms,
       COALESCE(a.credits_per_day, p.credits_per_day, 0) AS credits_per_day,
       COALESCE(a.calls_per_second, p.calls_per_second, 0) AS calls_per_second,
       p.forwarding AS forwarding,
       (SELECT count(*) FROM keys k WHERE k.account_id = a.id AND k.revoked_at_ms IS NULL) AS keys
       FROM accounts a JOIN plans p ON p.name = a.plan
       WHERE a.id > ? ${condition} ORDER BY a.id LIMIT ${ACCOUNTS_A_PAGE}`,
      [after, ...values],
    );
    return rows.map((row) => ({
      id: String(row['id']),
      plan: String(row['plan']),
      creditsPerDay: Number(row['credits_per_day']),
      callsPerSecond: Number(row['calls_per_second']),
      forwarding: Number(row['forwarding']) === 1,
      suspendedAt_ms: toNumber(row['suspended_at_ms']),
      keys: Number(row['keys']),
    }));
  },
};

async function refuseTerms(
  query: Query,
  { plan: name, creditsPerDay, callsPerSecond }: AccountTerms,
): Promise<AccountOutcome | undefined> {
  const [row] = await query(`SELECT * FROM plans WHERE name = ?`, [name]);
  if (row === undefined) return 'no_plan';
  const plan = toPlan(row);
  const isOpen =
    (creditsPerDay ?? plan.creditsPerDay) === null ||
    (callsPerSecond ?? plan.callsPerSecond) === null;
  return isOpen ? 'terms_missing' : undefined;
}
