import { decodeAddress, namedAddress, nativeMint, people, programs } from '../addresses.ts';
import { accountLayout, mintLayout, multisigLayout, states } from '../token/state.ts';
import { type Svm, writeAccount } from './litesvm.ts';

export const tokenAccounts = Object.freeze({
  dollarMint: namedAddress('dollar mint'),
  badgeMint: namedAddress('badge mint'),
  aliceDollars: namedAddress('alice dollars'),
  aliceSavings: namedAddress('alice savings'),
  aliceBadge: namedAddress('alice badge'),
  aliceWrapped: namedAddress('alice wrapped'),
  bobFrozen: namedAddress('bob frozen'),
  carolDelegated: namedAddress('carol delegated'),
  daveEmpty: namedAddress('dave empty'),
  daveLate: namedAddress('dave late'),
  multisig: namedAddress('multisig'),
  uninitialized: namedAddress('uninitialized'),
});

type Name = keyof typeof tokenAccounts;
type Fields = Readonly<Record<number, string | bigint | number>>;

const { issuer, alice, bob, carol, dave } = people;
const { dollarMint, badgeMint } = tokenAccounts;

const wrappedLamports = 1_500_000_000n;

/** Lays out fields by their offsets: addresses as keys, bigints as u64, numbers as bytes. */
function layOut(size: number, fields: Fields): Uint8Array {
  const data = Buffer.alloc(size);
  for (const [at, field] of Object.entries(fields)) {
    if (typeof field === 'string') data.set(decodeAddress(field), Number(at));
    else if (typeof field === 'bigint') data.writeBigUInt64LE(field, Number(at));
    else data[Number(at)] = field;
  }
  return Uint8Array.from(data);
}

/** An optional field that is present. */
const some = (at: number, field: string | bigint): Fields => ({ [at]: 1, [at + 4]: field });

function layOutMint(supply: bigint, decimals: number, others: Fields): Uint8Array {
  const at = mintLayout;
  const fields = { [at.supply]: supply, [at.decimals]: decimals, [at.isInitialized]: 1 };
  return layOut(at.size, { ...fields, ...others });
}

function layOutAccount(
  owner: string,
  amount: bigint,
  mint = dollarMint,
  others: Fields = {},
): Uint8Array {
  const at = accountLayout;
  const fields = { [at.mint]: mint, [at.owner]: owner, [at.amount]: amount };
  return layOut(at.size, { ...fields, [at.state]: states.initialized, ...others });
}

/** Writes an account of the token program as the program itself would. */
function write(svm: Svm, name: Name, data: Uint8Array): void {
  const rent = svm.minimumBalanceForRentExemption(BigInt(data.length));
  const lamports = name === 'aliceWrapped' ? rent + wrappedLamports : rent;
  const address = tokenAccounts[name];
  writeAccount(svm, { address, data, lamports, programAddress: programs.token });
}

/** Writes the finalized mints and token accounts. */
export function seedTokens(svm: Svm): void {
  const accountRent = svm.minimumBalanceForRentExemption(BigInt(accountLayout.size));
  const { authority, freezeAuthority } = mintLayout;
  const issuing = { ...some(authority, issuer), ...some(freezeAuthority, issuer) };
  write(svm, 'dollarMint', layOutMint(18_014_399_804_049_875n, 6, issuing));
  // The program removes an authority by its mark alone: the key stays.
  write(svm, 'badgeMint', layOutMint(1n, 0, { [authority + 4]: issuer }));
  write(svm, 'aliceDollars', layOutAccount(alice, 1_234_567_890n));
  // Above 2^53, beyond the precision of doubles.
  write(svm, 'aliceSavings', layOutAccount(alice, 18_014_398_509_481_985n));
  write(svm, 'aliceBadge', layOutAccount(alice, 1n, badgeMint));
  const reserve = some(accountLayout.nativeReserve, accountRent);
  write(svm, 'aliceWrapped', layOutAccount(alice, wrappedLamports, nativeMint, reserve));
  const frozen = { [accountLayout.state]: states.frozen };
  write(svm, 'bobFrozen', layOutAccount(bob, 50_000_000n, dollarMint, frozen));
  const rights = {
    ...some(accountLayout.delegate, bob),
    [accountLayout.delegatedAmount]: 2_500_000n,
    ...some(accountLayout.closeAuthority, alice),
  };
  write(svm, 'carolDelegated', layOutAccount(carol, 10_000_000n, dollarMint, rights));
  write(svm, 'daveEmpty', layOutAccount(dave, 0n));
  const { size, required, valid, isInitialized, signers } = multisigLayout;
  const members = [alice, bob, carol].map((key, index) => [signers + 32 * index, key]);
  const quorum = { [required]: 2, [valid]: 3, [isInitialized]: 1, ...Object.fromEntries(members) };
  write(svm, 'multisig', layOut(size, quorum as Fields));
  write(svm, 'uninitialized', layOut(accountLayout.size, {}));
}

/** Confirmed but not finalized: Alice sent Dave one dollar. */
export function sendDollar(svm: Svm): void {
  write(svm, 'aliceDollars', layOutAccount(alice, 1_233_567_890n));
  write(svm, 'daveEmpty', layOutAccount(dave, 1_000_000n));
}

/** Processed but not confirmed: Dave opened a second account. */
export function openLateAccount(svm: Svm): void {
  write(svm, 'daveLate', layOutAccount(dave, 0n));
}
