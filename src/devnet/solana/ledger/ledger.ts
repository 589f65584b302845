import { loadSvm } from './litesvm.ts';
import { fundPeople, gatherPeople } from './people.ts';
import { seedRegistry } from './registry.ts';
import { slots, type Commitment } from './slots.ts';
import { openLateAccount, seedTokens, sendDollar } from './tokens.ts';
import { viewLedger, type LedgerView } from './view.ts';

/** The development ledger as each commitment sees it. */
export type Ledger = Readonly<Record<Commitment, LedgerView>>;

/**
 * Builds the ledger, the same bytes every time: the finalized state, a transfer on top of it that is
 * only confirmed, and an account on top of that which is only processed.
 *
 * @throws Error when litesvm is not installed.
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
