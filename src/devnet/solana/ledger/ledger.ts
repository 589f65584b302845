import { decodeAddress } from '../addresses.ts';
import { loadSvm, type Svm, type SvmAccount } from './litesvm.ts';
import { fundPeople, gatherPeople } from './people.ts';
import { seedRegistry } from './registry.ts';
import { openLateAccount, seedTokens, sendDollar } from './tokens.ts';

/** The development ledger, by commitment. */
export type Ledger = Readonly<Record<Commitment, LedgerView>>;

/**
 * Builds the ledger, always with the same bytes: the finalized state, a transfer that is only confirmed,
 * and an account that is only processed.
 *
 * @throws Error if litesvm is not installed.
 */
export async function openLedger(): Promise<Ledger> {
  const { open, restore } = await loadSvm();
  const people = gatherPeople();
  const svm = open();
  svm.warpToSlot(slots.finalized);
  fundPeople(svm, people);
  seedTokens(svm, people);
  seedRegistry(svm, people);
  const finalized = viewLedger(restore(svm.toBytes()));
  svm.warpToSlot(slots.confirmed);
  sendDollar(svm, people);
  const confirmed = viewLedger(restore(svm.toBytes()));
  svm.warpToSlot(slots.processed);
  openLateAccount(svm, people);
  return Object.freeze({ finalized, confirmed, processed: viewLedger(svm) });
}

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/**
 * The fixed slot of each commitment. A real cluster confirms one or two slots after processing and
 * finalizes about 31 slots later.
 */
export const slots: Readonly<Record<Commitment, bigint>> = Object.freeze({
  processed: 312_000_033n,
  confirmed: 312_000_031n,
  finalized: 312_000_000n,
});

/** Slots without a block since genesis, so that height and slot differ. */
export const skippedSlots = 21_000_000n;

/** The immutable state of one commitment. */
export interface LedgerView {
  readonly slot: bigint;
  /** Returns a program's accounts, sorted by key. */
  accountsOf(program: string): readonly SvmAccount[];
}

function sortByKey(accounts: readonly SvmAccount[]): readonly SvmAccount[] {
  return accounts
    .map((account) => ({ account, key: decodeAddress(account.address) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ account }) => account);
}

/** Returns a view of a litesvm ledger. */
export function viewLedger(svm: Svm): LedgerView {
  // The cache is bounded: only the few programs with accounts are cached.
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
