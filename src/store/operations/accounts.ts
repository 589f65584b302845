import type { Operation, Query } from '../database.ts';
import type { AccountEntry, AccountOutcome, AccountTerms, Plan } from '../records.ts';
import { nextRevision } from './changes.ts';
import { insertRow, toNumber, toPlan, updateRow, type Columns } from './rows.ts';

/** Maximum number of accounts per page; the next page starts after the last id. */
export const ACCOUNTS_PER_PAGE = 1_000;

export const listPlans: Operation<null, readonly Plan[]> = {
  access: 'read',
  run: async ({ query }) => (await query(`SELECT * FROM plans ORDER BY name`)).map(toPlan),
};

/** Adds the plans that do not exist yet. */
export const addPlans: Operation<readonly Plan[], void> = {
  access: 'write',
  async run({ query }, plans) {
    const known = new Set((await query(`SELECT name FROM plans`)).map((row) => row['name']));
    for (const plan of plans) {
      if (known.has(plan.name)) continue;
      await insertRow(query, 'plans', planColumns(plan, await nextRevision(query)));
    }
  },
};

/** Creates or replaces a plan. */
export const putPlan: Operation<Plan, void> = {
  access: 'write',
  async run({ query }, plan) {
    const columns = planColumns(plan, await nextRevision(query));
    const updated = await updateRow(query, 'plans', { name: plan.name }, columns);
    if (updated === undefined) await insertRow(query, 'plans', columns);
  },
};

/** Creates an account. */
export const createAccount: Operation<AccountTerms, AccountOutcome> = {
  access: 'write',
  async run({ query }, terms) {
    const revision = await nextRevision(query);
    const [known] = await query(`SELECT id FROM accounts WHERE id = ?`, [terms.id]);
    if (known !== undefined) return 'account_exists';
    const refusal = await refuseTerms(query, terms);
    if (refusal !== undefined) return refusal;
    await insertRow(query, 'accounts', { id: terms.id, ...termColumns(terms), revision });
    return 'done';
  },
};

/** Changes the plan of an account, and the quotas that override the plan's. */
export const setTerms: Operation<AccountTerms, AccountOutcome> = {
  access: 'write',
  async run({ query }, terms) {
    const refusal = await refuseTerms(query, terms);
    if (refusal !== undefined) return refusal;
    const columns = { ...termColumns(terms), revision: await nextRevision(query) };
    const updated = await updateRow(query, 'accounts', { id: terms.id }, columns);
    return updated === undefined ? 'no_account' : 'done';
  },
};

/** Suspends or resumes an account. Resolves to whether the account exists. */
export const setSuspended: Operation<
  { readonly id: string; readonly isSuspended: boolean },
  boolean
> = {
  access: 'write',
  async run(transaction, { id, isSuspended }) {
    const { query } = transaction;
    const revision = await nextRevision(query);
    const [account] = await query(`SELECT suspended_at_ms FROM accounts WHERE id = ?`, [id]);
    if (account === undefined) return false;
    const now_ms = Math.round(await transaction.now_ms());
    const suspended_at_ms = isSuspended ? (account['suspended_at_ms'] ?? now_ms) : null;
    await updateRow(query, 'accounts', { id }, { suspended_at_ms, revision });
    return true;
  },
};

/** Lists one account, or a page of all accounts with ids after the given one. */
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
       WHERE a.id > ? ${condition} ORDER BY a.id LIMIT ${ACCOUNTS_PER_PAGE}`,
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

/** Returns the credits per day of each existing account: its own, else its plan's, else 0. */
export async function readAllowances(
  query: Query,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await query(
    `SELECT a.id AS id, COALESCE(a.credits_per_day, p.credits_per_day, 0) AS allowance
     FROM accounts a JOIN plans p ON p.name = a.plan
     WHERE a.id IN (${accountIds.map(() => '?').join(', ')})`,
    accountIds,
  );
  return new Map(rows.map((row) => [String(row['id']), Number(row['allowance'])]));
}

export function termColumns({ plan, creditsPerDay, callsPerSecond }: AccountTerms): Columns {
  return { plan, credits_per_day: creditsPerDay, calls_per_second: callsPerSecond };
}

function planColumns(
  { name, creditsPerDay, callsPerSecond, forwarding }: Plan,
  revision: number,
): Columns {
  return {
    name,
    credits_per_day: creditsPerDay,
    calls_per_second: callsPerSecond,
    forwarding: Number(forwarding),
    revision,
  };
}

async function refuseTerms(
  query: Query,
  { plan: name, creditsPerDay, callsPerSecond }: AccountTerms,
): Promise<AccountOutcome | undefined> {
  const [row] = await query(`SELECT * FROM plans WHERE name = ?`, [name]);
  if (row === undefined) return 'no_plan';
  const plan = toPlan(row);
  const isIncomplete =
    (creditsPerDay ?? plan.creditsPerDay) === null ||
    (callsPerSecond ?? plan.callsPerSecond) === null;
  return isIncomplete ? 'terms_missing' : undefined;
}
