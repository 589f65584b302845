import { ACCOUNTS_PER_PAGE } from '../store/operations/accounts.ts';
import type { AccountEntry, AccountOutcome, AccountTerms } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { AdminError } from './values.ts';

/** Creates an account. Throws AdminError if it exists or its plan needs quotas. */
export async function createAccount(store: Store, terms: AccountTerms): Promise<AccountEntry> {
  if (!/^[\w.@-]{1,64}$/.test(terms.id)) {
    throw new AdminError(
      `invalid account id "${terms.id}", expected 1 to 64 letters, digits, dots, hyphens, _ or @`,
    );
  }
  await expectDone(store, terms, await store.createAccount(terms));
  return findAccount(store, terms.id);
}

/** Changes the plan of an account; where a quota is null, the plan's applies. Throws AdminError. */
export async function setPlan(store: Store, terms: AccountTerms): Promise<AccountEntry> {
  await expectDone(store, terms, await store.setTerms(terms));
  return findAccount(store, terms.id);
}

/** Suspends or resumes an account. Throws AdminError if it does not exist. */
export async function setSuspended(
  store: Store,
  id: string,
  isSuspended: boolean,
): Promise<AccountEntry> {
  if (!(await store.setSuspended({ id, isSuspended }))) throw accountNotFound(id);
  return findAccount(store, id);
}

export function listAccounts(store: Store): Promise<readonly AccountEntry[]> {
  const readPage = (after: string): Promise<readonly AccountEntry[]> =>
    store.listAccounts({ accountId: undefined, after });
  return readPages(readPage, ACCOUNTS_PER_PAGE);
}

/** Reads page after page; each starts after the last id. */
export async function readPages<T extends { readonly id: string }>(
  readPage: (after: string) => Promise<readonly T[]>,
  size: number,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await readPage(all.at(-1)?.id ?? '');
    all.push(...page);
    if (page.length < size) return all;
  }
}

export function accountNotFound(id: string): AdminError {
  return new AdminError(`account "${id}" not found; list accounts with: specgate accounts list`);
}

/** Throws AdminError if the account does not exist. */
export async function findAccount(store: Store, id: string): Promise<AccountEntry> {
  const [account] = await store.listAccounts({ accountId: id, after: '' });
  if (account === undefined) throw accountNotFound(id);
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
      throw new AdminError(
        `account "${id}" already exists; change its plan with: specgate accounts set-plan`,
      );
    case 'no_account':
      throw accountNotFound(id);
    case 'no_plan': {
      const names = (await store.listPlans(null)).map(({ name }) => name).join(', ');
      throw new AdminError(`unknown plan "${plan}", expected one of ${names}`);
    }
    case 'terms_missing':
      throw new AdminError(
        `plan "${plan}" has no quotas of its own; set --credits-per-day and --calls-per-second`,
      );
  }
}
