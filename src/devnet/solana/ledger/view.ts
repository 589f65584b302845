import { decodeAddress } from '../addresses.ts';
import type { Svm, SvmAccount } from './litesvm.ts';

/** The ledger as one commitment sees it; it never changes. */
export interface LedgerView {
  readonly slot: bigint;
  /** A program's accounts in the order of their keys' bytes; empty for a program without any. */
  accountsOf(program: string): readonly SvmAccount[];
}

function sortByKey(accounts: readonly SvmAccount[]): readonly SvmAccount[] {
  return accounts
    .map((account) => ({ account, key: decodeAddress(account.address) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ account }) => account);
}

/** Freezes a litesvm ledger into a view. */
export function viewLedger(svm: Svm): LedgerView {
  // Only programs that own something are kept, and there are few of them: the cache is bounded.
  const known = new Map<string, readonly SvmAccount[]>();
  return {
    slot: svm.getClock().slot,
    accountsOf(program) {
      const kept = known.get(program);
      if (kept !== undefined) return kept;
      const accounts = sortByKey(svm.getProgramAccounts(program));
      if (accounts.length > 0) known.set(program, accounts);
      return accounts;
    },
  };
}
