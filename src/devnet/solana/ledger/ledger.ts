import { createHash } from 'node:crypto';
import { decodeAddress, encodeAddress, namedBytes, people, programs } from '../addresses.ts';
import { registry, slots } from '../facts.ts';
import { loadSvm, type Svm, type SvmAccount, writeAccount } from './litesvm.ts';
import { openLateAccount, seedTokens, sendDollar } from './tokens.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The development ledger, by commitment. */
export type Ledger = Readonly<Record<Commitment, LedgerView>>;

/** The immutable state of one commitment. */
export interface LedgerView {
  readonly slot: bigint;
  /** Returns a program's accounts, sorted by key. */
  accountsOf(program: string): readonly SvmAccount[];
}

/**
 * Builds the ledger, always with the same bytes: the finalized state, a transfer that is only confirmed,
 * and an account that is only processed.
 *
 * @throws Error if litesvm is not installed.
 */
export async function openLedger(): Promise<Ledger> {
  const { open, restore } = await loadSvm();
  const svm = open();
  svm.warpToSlot(BigInt(slots.finalized));
  fundPeople(svm, 'finalized');
  seedTokens(svm);
  seedRegistry(svm);
  const finalized = viewLedger(restore(svm.toBytes()));
  svm.warpToSlot(BigInt(slots.confirmed));
  fundPeople(svm, 'confirmed');
  sendDollar(svm);
  const confirmed = viewLedger(restore(svm.toBytes()));
  svm.warpToSlot(BigInt(slots.processed));
  fundPeople(svm, 'processed');
  openLateAccount(svm);
  return Object.freeze({ finalized, confirmed, processed: viewLedger(svm) });
}

function viewLedger(svm: Svm): LedgerView {
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

function sortByKey(accounts: readonly SvmAccount[]): readonly SvmAccount[] {
  return accounts
    .map((account) => ({ account, key: decodeAddress(account.address) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ account }) => account);
}

/** What each person has, in lamports; the rent and the fees of all accounts left the issuer less. */
const lamportsOfOthers = 10_000_000_000n;
const lamportsOfIssuer: Readonly<Record<Commitment, bigint>> = {
  finalized: 998_477_275_880n,
  confirmed: 998_477_265_880n,
  processed: 998_475_216_600n,
};

function fundPeople(svm: Svm, commitment: Commitment): void {
  for (const address of Object.values(people)) {
    const isIssuer = address === people.issuer;
    const lamports = isIssuer ? lamportsOfIssuer[commitment] : lamportsOfOthers;
    const data = new Uint8Array();
    writeAccount(svm, { address, data, lamports, programAddress: programs.system });
  }
}

const REGISTRY_RECORDS = 320;

/** The balance of the first record: 2^53 + 1, beyond the precision of doubles. */
const treasuryLamports = 9_007_199_254_740_993n;

/** Writes the records of the registry, a program without code. */
function seedRegistry(svm: Svm): void {
  const authorities = [people.alice, people.bob, people.carol, people.dave];
  for (let index = 0; index < REGISTRY_RECORDS; index++) {
    const data = layRecord(index, authorities[index % authorities.length]!);
    const rent = svm.minimumBalanceForRentExemption(BigInt(data.length));
    writeAccount(svm, {
      address: encodeAddress(namedBytes(`registry ${index}`)),
      data,
      lamports: index === 0 ? treasuryLamports : rent,
      programAddress: registry,
    });
  }
}

const kinds = ['Listing', 'Order', 'Profile'];
const RECORD_SIZES = 301;

/**
 * Returns a record: discriminator of its kind (8 bytes, derived as in Anchor), index (u32,
 * little-endian), key of its authority (32), then bytes counting up from the index; truncated to its
 * size, index modulo 301.
 */
function layRecord(index: number, authority: string): Uint8Array {
  const record = Buffer.from(Array.from({ length: RECORD_SIZES }, (_, at) => (index + at) & 0xff));
  const kind = createHash('sha256').update(`account:${kinds[index % kinds.length]}`);
  record.set(kind.digest().subarray(0, 8), 0);
  record.writeUInt32LE(index, 8);
  record.set(decodeAddress(authority), 12);
  return Uint8Array.from(record.subarray(0, index % RECORD_SIZES));
}
