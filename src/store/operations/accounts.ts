import { read, write, type Query } from '../database.ts';
import type { AccountEntry, AccountOutcome, AccountTerms, Plan } from '../records.ts';
import { nextRevision } from './changes.ts';
import {
  columns,
  insertRow,
  putRow,
  seedOf,
  toPlan,
  updateRow,
  type Fields,
  type StoredPlan,
} from './rows.ts';

/** Maximum number of accounts per page; the next page starts after the last id. */
export const ACCOUNTS_PER_PAGE = 1_000;

export const listPlans = read<null, readonly Plan[]>(async ({ query }) =>
  (await query<StoredPlan>(`SELECT ${columns.plan} FROM plans ORDER BY name`)).map(toPlan),
);

/** Adds the plans that do not exist yet. */
export const addPlans = write<readonly Plan[], void>(async ({ query }, plans) => {
  const known = new Set((await query(`SELECT name FROM plans`)).map((row) => row['name']));
  for (const plan of plans) {
    if (!known.has(plan.name)) await insertRow(query, 'plans', await toFields(query, plan));
  }
});

/** Creates or replaces a plan. */
export const putPlan = write<Plan, void>(async ({ query }, plan) =>
  putRow(query, 'plans', 'name', await toFields(query, plan)),
);

function termsOf({ plan, creditsPerDay, callsPerSecond }: AccountTerms): Fields {
  return { plan, creditsPerDay, callsPerSecond };
}

async function toFields(query: Query, plan: Plan): Promise<Fields> {
  const { name, creditsPerDay, callsPerSecond } = plan;
  const forwarding = Number(plan.forwarding);
  const revision = await nextRevision(query);
  return { name, creditsPerDay, callsPerSecond, forwarding, revision };
}

/**
 * Creates an account, or changes it if its configuration has changed since it was last seeded. If not,
 * what an administrator changed in the meantime stays. Its plan must exist. A suspended account stays
 * suspended.
 */
export const putAccount = write<AccountTerms, void>(async ({ query }, account) => {
  const revision = await nextRevision(query);
  const { id } = account;
  const terms = termsOf(account);
  const seeded = seedOf(terms);
  const [known] = await query(`SELECT seeded FROM accounts WHERE id = ?`, [id]);
  if (known === undefined) {
    await insertRow(query, 'accounts', { id, ...terms, seeded, revision });
  } else if (known['seeded'] !== seeded) {
    await updateRow(query, 'accounts', { id }, { ...terms, seeded, revision });
  }
});

export const createAccount = write<AccountTerms, AccountOutcome>(async ({ query }, terms) => {
  const revision = await nextRevision(query);
  const { id } = terms;
  const [known] = await query(`SELECT id FROM accounts WHERE id = ?`, [id]);
  if (known !== undefined) return 'account_exists';
  const refusal = await refuseTerms(query, terms);
  if (refusal !== undefined) return refusal;
  await insertRow(query, 'accounts', { id, ...termsOf(terms), revision });
  return 'done';
});

/** Changes the plan of an account, and the quotas that override the plan's. */
export const setTerms = write<AccountTerms, AccountOutcome>(async ({ query }, terms) => {
  const refusal = await refuseTerms(query, terms);
  if (refusal !== undefined) return refusal;
  const fields = { ...termsOf(terms), revision: await nextRevision(query) };
  const exists = await updateRow(query, 'accounts', { id: terms.id }, fields);
  return exists ? 'done' : 'no_account';
});

/** Suspends or resumes an account. Resolves to whether the account exists. */
export const setSuspended = write<{ readonly id: string; readonly isSuspended: boolean }, boolean>(
  async ({ query, now_ms }, { id, isSuspended }) => {
    const revision = await nextRevision(query);
    const [account] = await query(`SELECT suspended_at_ms FROM accounts WHERE id = ?`, [id]);
    if (account === undefined) return false;
    const since_ms = account['suspendedAt_ms'] ?? Math.round(await now_ms());
    const suspendedAt_ms = isSuspended ? since_ms : null;
    await updateRow(query, 'accounts', { id }, { suspendedAt_ms, revision });
    return true;
  },
);

/** Selects a page of rows: those of one account or of all accounts, with ids after the given one. */
export interface Page {
  readonly accountId: string | undefined;
  readonly after: string;
}

export const listAccounts = read<Page, readonly AccountEntry[]>(
  async ({ query }, { accountId, after }) => {
    const [condition, values] = accountId === undefined ? ['', []] : ['AND a.id = ?', [accountId]];
    const rows = await query<StoredPlan & Omit<AccountEntry, 'forwarding'>>(
      `SELECT a.id AS id, a.plan AS plan, a.suspended_at_ms AS suspended_at_ms,
       COALESCE(a.credits_per_day, p.credits_per_day, 0) AS credits_per_day,
       COALESCE(a.calls_per_second, p.calls_per_second, 0) AS calls_per_second,
       p.forwarding AS forwarding,
       (SELECT count(*) FROM keys k WHERE k.account_id = a.id AND k.revoked_at_ms IS NULL) AS keys
       FROM accounts a JOIN plans p ON p.name = a.plan
       WHERE a.id > ? ${condition} ORDER BY a.id LIMIT ${ACCOUNTS_PER_PAGE}`,
      [after, ...values],
    );
    return rows.map((row) => ({ ...row, forwarding: row.forwarding === 1 }));
  },
);

/** Returns the credits per day of each existing account: its own, else its plan's, else 0. */
export async function readAllowances(
  query: Query,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await query<{ id: string; allowance: number }>(
    `SELECT a.id AS id, COALESCE(a.credits_per_day, p.credits_per_day, 0) AS allowance
     FROM accounts a JOIN plans p ON p.name = a.plan
     WHERE a.id IN (${accountIds.map(() => '?').join(', ')})`,
    accountIds,
  );
  return new Map(rows.map(({ id, allowance }) => [id, allowance]));
}

async function refuseTerms(
  query: Query,
  { plan: name, creditsPerDay, callsPerSecond }: AccountTerms,
): Promise<AccountOutcome | undefined> {
  const [plan] = await query<StoredPlan>(`SELECT * FROM plans WHERE name = ?`, [name]);
  if (plan === undefined) return 'no_plan';
  const isIncomplete =
    (creditsPerDay ?? plan.creditsPerDay) === null ||
    (callsPerSecond ?? plan.callsPerSecond) === null;
  return isIncomplete ? 'terms_missing' : undefined;
}
