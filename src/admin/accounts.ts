import type { AccountEntry, AccountOutcome } from '../store/administration.ts';
import { ACCOUNTS_A_PAGE } from '../store/operations/administer-accounts.ts';
import type { AccountTerms } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { AdminError } from './admin-error.ts';

/** Creates an account. Throws AdminError when there is one, or its plan leaves something open. */
export async function createAccount(store: Store, terms: AccountTerms): Promise<AccountEntry> {
  if (!/^[\w.@-]{1,64}$/.test(terms.id)) {
    throw new AdminError(
      `"${terms.id}" is no account id; use 1 to 64 letters, digits, dots, hyphens, _ or @`,
    );
  }
  await expectDone(store, terms, await store.createAccount(terms));
  return findAccount(store, terms.id);
}

/** Puts an account on a plan; numbers of its own that are null are the plan's. Throws AdminError. */
export async function setPlan(store: Store, terms: AccountTerms): Promise<AccountEntry> {
  await expectDone(store, terms, await store.setTerms(terms));
  return findAccount(store, terms.id);
}

/** Refuses all keys of an account, or accepts them again. Throws AdminError without an account. */
export async function setSuspended(
  store: Store,
  id: string,
  isSuspended: boolean,
): Promise<AccountEntry> {
  if (!(await store.setSuspended({ id, isSuspended }))) throw noAccount(id);
  return findAccount(store, id);
}

export async function listAccounts(store: Store): Promise<readonly AccountEntry[]> {
  const accounts: AccountEntry[] = [];
  for (;;) {
    const after = accounts.at(-1)?.id ?? '';
    const page = await store.listAccounts({ accountId: undefined, after });
    accounts.push(...page);
    if (page.length < ACCOUNTS_A_PAGE) return accounts;
  }
}

export function noAccount(id: string): AdminError {
  return new AdminError(`there is no account ${id}; see them with: specgate accounts list`);
}

/** Throws AdminError when there is none. */
export async function findAccount(store: Store, id: string): Promise<AccountEntry> {
  const [account] = await store.listAccounts({ accountId: id, after: '' });
  if (account === undefined) throw noAccount(id);
  return account;
}

async function expectDone(
  store: Store,
  { id, plan }: AccountTerms,
  outcome: AccountOutcome,
): Promise<void> {
  switch (outcome) {
    case 'done':
      return;
    case 'account_exists':
      throw new AdminError(`there is an account ${id} already; change it with: accounts set-plan`);
    case 'no_account':
      throw noAccount(id);
    case 'no_plan': {
      const names = (await store.listPlans(null)).map(({ name }) => name).join(', ');
      throw new AdminError(`there is no plan ${plan}; use one of ${names}`);
    }
    case 'terms_missing':
      throw new AdminError(
        `plan ${plan} leaves it to the account: give --credits-per-day and --calls-per-second`,
      );
  }
}
